/**
 * Returns the purpose for which the login recipe of an exploration is encrypted. The vault decrypts the
 * recipe only for the same purpose.
 */
export function loginPurpose(jobId: string): string {
  return `explore/${jobId}`;
}
