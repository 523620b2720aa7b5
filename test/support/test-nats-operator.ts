/**
 * A NATS operator for tests: one account that may use JetStream, and its user with a `.creds` file. The files
 * have the format of the tool `nsc`: JWTs signed with ed25519 keys (nkeys).
 */
import { createAccount, createOperator, createUser, type KeyPair } from "nkeys.js";

export interface NatsOperator {
  /** Lines for the configuration file of the server. */
  readonly config: string;
  /** The content of the user's `.creds` file. */
  readonly creds: string;
  /** Content of a `.creds` file for a user of an account that the server does not have. */
  readonly foreignCreds: string;
}

const LIMITS = {
  subs: -1,
  data: -1,
  payload: -1,
  imports: -1,
  exports: -1,
  wildcards: true,
  conn: -1,
  leaf: -1,
};

/** NATS does not permit JetStream in the system account, so a separate account is needed. */
const JETSTREAM = {
  mem_storage: -1,
  disk_storage: -1,
  streams: -1,
  consumer: -1,
};

const encoder = new TextEncoder();
const base64url = (bytes: Uint8Array | string) => Buffer.from(bytes).toString("base64url");

function jwt(
  issuer: KeyPair,
  subject: KeyPair,
  name: string,
  nats: Readonly<Record<string, unknown>>,
): string {
  const claims = {
    jti: crypto.randomUUID(),
    iat: Math.floor(Date.now() / 1_000),
    iss: issuer.getPublicKey(),
    name,
    sub: subject.getPublicKey(),
    nats: { version: 2, ...nats },
  };
  const signed = `${base64url(JSON.stringify({ typ: "JWT", alg: "ed25519-nkey" }))}.${base64url(JSON.stringify(claims))}`;
  return `${signed}.${base64url(issuer.sign(encoder.encode(signed)))}`;
}

function credsOf(account: KeyPair): string {
  const user = createUser();
  const token = jwt(account, user, "cairn", { type: "user", subs: -1, data: -1, payload: -1 });
  const seed = new TextDecoder().decode(user.getSeed());
  return `-----BEGIN NATS USER JWT-----\n${token}\n------END NATS USER JWT------\n\n-----BEGIN USER NKEY SEED-----\n${seed}\n------END USER NKEY SEED------\n`;
}

export function natsOperator(): NatsOperator {
  const [operator, account, system] = [createOperator(), createAccount(), createAccount()];
  const accountJwt = jwt(operator, account, "cairn", {
    type: "account",
    limits: { ...LIMITS, ...JETSTREAM },
  });
  const systemJwt = jwt(operator, system, "system", { type: "account", limits: LIMITS });
  const names = [account.getPublicKey(), system.getPublicKey()] as const;
  return {
    config: [
      `operator: ${jwt(operator, operator, "test", { type: "operator", system_account: names[1] })}`,
      `system_account: ${names[1]}`,
      "resolver: MEMORY",
      `resolver_preload: { ${names[0]}: ${accountJwt}, ${names[1]}: ${systemJwt} }`,
    ].join("\n"),
    creds: credsOf(account),
    foreignCreds: credsOf(createAccount()),
  };
}
