/** Names the purpose under which the login recipe of a job is encrypted. */
export function loginPurpose(jobId: string): string {
  return `explore/${jobId}`;
}
