/** The gateway's interface to explorations: start, status, pause, resume, cancel, results, list, delete. */
import { assertUrlAllowed, type EgressPolicy } from "../../machines/egress/egress-policy.ts";
import { Refused } from "../../machines/errors.ts";
import { parseStartUrl } from "../../machines/exploration/crawl/normalise-url.ts";
import type {
  ExplorationStatus,
  JobList,
  JobState,
  StartExploration,
  Started,
} from "../../machines/exploration/exploration-protocol.ts";
import type { ExplorationRequest } from "../../machines/exploration/exploration-request.ts";
import { siteId } from "../../machines/exploration/exploration-scope.ts";
import { knowledgeLimits } from "../../machines/knowledge/map-limits.ts";
import type { EarlierMap, Store } from "../../store/index.ts";
import { encryptLogin } from "../login-recipe-encryption-and-secrets.ts";
import { askLimits } from "../runtime/actor-runtime-limits.ts";
import { pause, systemClock } from "../runtime/index.ts";
import type { Secrets } from "../secrets/secret-store.ts";
import type { CairnSystem } from "../typed-actor-system.ts";
import { jobResults, type ResultsAnswer, type ResultsRequest } from "./exploration-results.ts";
import { loginPurpose } from "./login-encryption-purpose.ts";

export class ExplorationService {
  readonly #system: CairnSystem;
  readonly #store: Store;
  readonly #egress: EgressPolicy;

  readonly #secrets: Secrets;

  constructor(system: CairnSystem, store: Store, egress: EgressPolicy, secrets: Secrets) {
    this.#system = system;
    this.#secrets = secrets;
    this.#store = store;
    this.#egress = egress;
  }

  async start(input: StartExploration): Promise<Started> {
    const start_url = parseStartUrl(input.start_url);
    // Checks the host name or IP address in the URL. The addresses to which a host name resolves are checked
    // later, when the page is fetched.
    assertUrlAllowed(new URL(start_url), this.#egress);
    // Without a reachable store that accepts writes, the job could only wait. So `ping` checks the store, and
    // the caller gets the store's error at once.
    await this.#store.ping();
    const job_id = input.job_id ?? `job-${crypto.randomUUID()}`;
    const request: ExplorationRequest = {
      start_url,
      max_pages: input.max_pages,
      max_depth: input.max_depth,
      strategy: input.strategy,
      knowledge_id: input.knowledge_id ?? siteId(start_url),
      website_id: input.website_id ?? siteId(start_url),
      respect_robots: input.respect_robots,
      scope: input.scope,
      include: input.include,
      exclude: input.exclude,
      render: input.render,
      sitemaps: input.sitemaps,
      ...(input.mode === "links"
        ? {}
        : { mode: input.mode, max_actions: input.max_actions, max_seconds: input.max_seconds }),
      ...(input.allow && input.allow.length > 0 ? { allow: input.allow } : {}),
      ...(input.role === undefined ? {} : { role: input.role }),
      ...(await this.#sealedLogin(job_id, input)),
    };
    const map = await this.#system.query("knowledge", request.knowledge_id, "status", null);
    if (map.deleting) {
      throw new Refused(
        "knowledge.deleting",
        `Map ${request.knowledge_id} is being deleted. Try again in a moment, or name another with knowledge_id.`,
        { status: 409 },
      );
    }
    const earlier =
      map.exists && map.crawling.length === 0
        ? await this.#earlierMap(request.knowledge_id, job_id)
        : undefined;
    const answer = await this.#system.ask("exploration", job_id, { type: "START", request });
    const existing = "existing" in answer;
    if (earlier && !existing) await this.#store.sketches.put(request.knowledge_id, earlier);
    const status = existing ? (await this.status(job_id)).status : "queued";
    const message = existing
      ? `This job exists with these parameters; it is ${status}.`
      : `Job started. Use /api/knowledge/explore/status/${job_id} to check progress.`;
    return { job_id, status, message, knowledge_id: request.knowledge_id, website_id: request.website_id };
  }

  /**
   * Returns the current state of the map, so that it can be compared with the map after this job. The caller
   * stores this state only if the job is accepted. Otherwise it would overwrite the state that was stored for
   * the previous job.
   */
  async #earlierMap(knowledgeId: string, job_id: string): Promise<EarlierMap | undefined> {
    // If this job was started before, the map already contains pages of this job. So the map's current state
    // is not the state before the job.
    if (await this.#store.jobs.get(job_id)) return;
    const screens = (await this.#store.maps.get(knowledgeId))?.screens ?? 0;
    if (screens === 0 || screens > knowledgeLimits.sketchedScreens) return;
    const sketch = await this.#system.query("knowledge", knowledgeId, "sketch", null);
    return { job_id, at: Date.now(), sketch };
  }

  /** Encrypts the login recipe, because it is stored with the job. */
  async #sealedLogin(
    jobId: string,
    { login }: StartExploration,
  ): Promise<Pick<ExplorationRequest, "login" | "login_digest">> {
    if (login === undefined) return {};
    assertUrlAllowed(new URL(login.url), this.#egress);
    return await encryptLogin(login, jobId, loginPurpose(jobId), this.#secrets);
  }

  async status(jobId: string): Promise<ExplorationStatus> {
    const status = await this.#system.query("exploration", jobId, "status", null);
    if (status) return status;
    throw new Refused("job.not_found", `There is no job ${jobId}. list_explorations lists the jobs.`, {
      status: 404,
    });
  }

  pause(jobId: string): Promise<JobState> {
    return this.#command(jobId, "PAUSE");
  }

  resume(jobId: string): Promise<JobState> {
    return this.#command(jobId, "RESUME");
  }

  cancel(jobId: string): Promise<JobState> {
    return this.#command(jobId, "CANCEL");
  }

  async results(jobId: string, request: ResultsRequest): Promise<ResultsAnswer> {
    return await jobResults(this.#store, await this.status(jobId), request);
  }

  /** Lists all explorations, newest first. */
  async list(): Promise<JobList> {
    const jobs = await this.#store.jobs.list();
    return {
      jobs: jobs.map(({ id, status, start_url, started_at, knowledge_id, website_id }) => ({
        job_id: id,
        status,
        start_url,
        started_at: new Date(started_at).toISOString(),
        knowledge_id,
        website_id,
      })),
    };
  }

  async delete(jobId: string): Promise<void> {
    await this.status(jobId);
    await this.#store.ping();
    await this.#system.ask("exploration", jobId, { type: "DELETE" });
    // The deletion is durable when the command is acknowledged, but the job stays in the lists for a moment.
    // The call waits until the lists no longer contain the job.
    const until = systemClock.monotonic() + askLimits.timeout;
    while ((await this.#store.jobs.get(jobId)) && systemClock.monotonic() < until) {
      await pause(systemClock, askLimits.pollEvery);
    }
  }

  async #command(jobId: string, type: "PAUSE" | "RESUME" | "CANCEL"): Promise<JobState> {
    await this.status(jobId);
    await this.#store.ping();
    return await this.#system.ask("exploration", jobId, { type });
  }
}
