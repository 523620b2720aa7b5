/**
 * Tools and a prompt of the MCP conformance suite that ask the client for input, in one round or several. A client of
 * MCP's 2026 revision calls again with the answers. A client of the 2025 revision is asked over its open session.
 */
import {
  acceptedContent,
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type InputRequest,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type McpServer,
  type RequestStateCodec,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import { text } from "./mcp-conformance-content-tools.ts";

const noArguments = z.object({});
const personSchema = z.object({ name: z.string() });
const colorSchema = z.object({ color: z.string() });
const okSchema = z.object({ ok: z.boolean() });
/** The capabilities that a client of MCP's 2026 revision sends with each request. */
const declaredSchema = z.object({
  [CLIENT_CAPABILITIES_META_KEY]: z
    .object({ elicitation: z.unknown().optional(), sampling: z.unknown().optional() })
    .default({}),
});
const contextSchema = z.object({ context: z.string() });

function formRequest(
  message: string,
  requestedSchema: Parameters<typeof inputRequired.elicit>[0]["requestedSchema"],
): InputRequest {
  return inputRequired.elicit({ message, requestedSchema });
}

function samplingRequest(words: string, maxTokens: number): InputRequest {
  return inputRequired.createMessage({
    messages: [{ role: "user", content: { type: "text", text: words } }],
    maxTokens,
  });
}

/**
 * Returns the client's answer to a question. If the request does not contain it yet, the question is sent to
 * the client first.
 */
function requestOnce(
  responses: Record<string, unknown> | undefined,
  key: string,
  question: InputRequest,
  toText: (view: ReturnType<typeof inputResponse>) => string,
): CallToolResult | InputRequiredResult {
  const view = inputResponse(responses, key);
  return view.kind === "missing" ? inputRequired({ inputRequests: { [key]: question } }) : text(toText(view));
}

const actionOf = (view: ReturnType<typeof inputResponse>): string =>
  view.kind === "elicit" ? `action=${view.action}, content=${JSON.stringify(view.content ?? {})}` : view.kind;

const textOf = (view: ReturnType<typeof inputResponse>): string => {
  if (view.kind !== "sampling") return "";
  const { content } = view.result;
  return !Array.isArray(content) && content.type === "text" ? content.text : JSON.stringify(content);
};

const formWithDefaults = {
  type: "object" as const,
  properties: {
    name: { type: "string" as const, description: "Name", default: "John Doe" },
    age: { type: "integer" as const, description: "Age", default: 30 },
    score: { type: "number" as const, description: "Score", default: 95.5 },
    status: {
      type: "string" as const,
      description: "Status",
      enum: ["active", "inactive", "pending"],
      default: "active",
    },
    verified: { type: "boolean" as const, description: "Verified", default: true },
  },
  required: [],
};

const options = ["option1", "option2", "option3"];
const titled = (word: string) =>
  ["First", "Second", "Third"].map((nth, at) => ({ const: `value${at + 1}`, title: `${nth} ${word}` }));
const formWithEnums = {
  type: "object" as const,
  properties: {
    untitledSingle: { type: "string" as const, enum: options },
    titledSingle: { type: "string" as const, oneOf: titled("Option") },
    legacyEnum: {
      type: "string" as const,
      enum: ["opt1", "opt2", "opt3"],
      enumNames: ["Option One", "Option Two", "Option Three"],
    },
    untitledMulti: { type: "array" as const, items: { type: "string" as const, enum: options } },
    titledMulti: { type: "array" as const, items: { anyOf: titled("Choice") } },
  },
  required: [],
};

function registerLegacyNames(server: McpServer): void {
  server.registerTool(
    "test_sampling",
    { description: "Asks the client's model", inputSchema: z.object({ prompt: z.string() }) },
    ({ prompt }, { mcpReq }) =>
      requestOnce(
        mcpReq.inputResponses,
        "answer",
        samplingRequest(prompt, 100),
        (view) => `LLM response: ${textOf(view)}`,
      ),
  );
  server.registerTool(
    "test_elicitation",
    { description: "Asks the user", inputSchema: z.object({ message: z.string() }) },
    ({ message }, { mcpReq }) =>
      requestOnce(
        mcpReq.inputResponses,
        "answer",
        formRequest(message, z.object({ response: z.string() })),
        (view) => `User response: ${actionOf(view)}`,
      ),
  );
  for (const [name, requestedSchema] of [
    ["test_elicitation_sep1034_defaults", formWithDefaults],
    ["test_elicitation_sep1330_enums", formWithEnums],
  ] as const) {
    server.registerTool(
      name,
      { description: "Asks the user with a form", inputSchema: noArguments },
      (_, { mcpReq }) =>
        requestOnce(
          mcpReq.inputResponses,
          "form",
          formRequest("Please fill in the form", requestedSchema),
          (view) => `Elicitation completed: ${actionOf(view)}`,
        ),
    );
  }
}

function registerSingleRounds(server: McpServer): void {
  const askName = formRequest("What is your name?", personSchema);
  server.registerTool(
    "test_input_required_result_elicitation",
    { description: "Asks for a name", inputSchema: noArguments },
    (_, { mcpReq }) => {
      const person = acceptedContent(mcpReq.inputResponses, "user_name", personSchema);
      return person
        ? text(`Hello, ${person.name}!`)
        : inputRequired({ inputRequests: { user_name: askName } });
    },
  );
  for (const name of ["test_input_required_result_sampling", "test_missing_capability"]) {
    server.registerTool(
      name,
      { description: "Needs the client's model", inputSchema: noArguments },
      (_, { mcpReq }) =>
        requestOnce(
          mcpReq.inputResponses,
          "capital_question",
          samplingRequest("What is the capital of France?", 100),
          textOf,
        ),
    );
  }
  server.registerTool(
    "test_input_required_result_list_roots",
    { description: "Asks for roots", inputSchema: noArguments },
    (_, { mcpReq }) =>
      requestOnce(mcpReq.inputResponses, "client_roots", inputRequired.listRoots(), (view) =>
        view.kind === "roots" ? view.roots.map(({ uri }) => uri).join(", ") : "",
      ),
  );
  server.registerTool(
    "test_streaming_elicitation",
    { description: "Asks for a name on its stream", inputSchema: noArguments },
    (_, { mcpReq }) => requestOnce(mcpReq.inputResponses, "user_name", askName, actionOf),
  );
  server.registerTool(
    "test_input_required_result_capabilities",
    { description: "Asks only for what the client can answer", inputSchema: noArguments },
    (_, { mcpReq }) => {
      const { inputResponses, envelope } = mcpReq;
      const { elicitation, sampling } = declaredSchema.parse(envelope ?? {})[CLIENT_CAPABILITIES_META_KEY];
      if (sampling)
        return requestOnce(
          inputResponses,
          "question",
          samplingRequest("What is the capital of France?", 100),
          textOf,
        );
      return elicitation
        ? requestOnce(inputResponses, "user_name", askName, actionOf)
        : text("The client accepts no input requests");
    },
  );
  server.registerPrompt(
    "test_input_required_result_prompt",
    { description: "A prompt that asks first" },
    ({ mcpReq }) => {
      const given = acceptedContent(mcpReq.inputResponses, "user_context", contextSchema);
      if (!given) {
        const user_context = formRequest("What context should the prompt use?", contextSchema);
        return inputRequired({ inputRequests: { user_context } });
      }
      return { messages: [{ role: "user", content: { type: "text", text: `Context: ${given.context}` } }] };
    },
  );
}

function registerMultipleRounds(
  server: McpServer,
  codec: RequestStateCodec<{ readonly round: number }>,
): void {
  for (const name of [
    "test_input_required_result_request_state",
    "test_input_required_result_tampered_state",
  ]) {
    server.registerTool(
      name,
      { description: "Keeps state", inputSchema: noArguments },
      async (_, context) => {
        const { inputResponses, requestState } = context.mcpReq;
        const sure = acceptedContent(inputResponses, "confirm", okSchema);
        if (sure && requestState<{ round: number }>()?.round === 1) return text("state-ok");
        return inputRequired({
          inputRequests: { confirm: formRequest("Please confirm", okSchema) },
          requestState: await codec.mint({ round: 1 }, context),
        });
      },
    );
  }
  server.registerTool(
    "test_input_required_result_multiple_inputs",
    { description: "Asks for three things at once", inputSchema: noArguments },
    async (_, context) => {
      const { inputResponses } = context.mcpReq;
      const views = ["user_name", "greeting", "client_roots"].map(
        (name) => inputResponse(inputResponses, name).kind,
      );
      if (!views.includes("missing")) return text(`Answered: ${views.join(", ")}`);
      return inputRequired({
        inputRequests: {
          user_name: formRequest("What is your name?", personSchema),
          greeting: samplingRequest("Generate a greeting", 50),
          client_roots: inputRequired.listRoots(),
        },
        requestState: await codec.mint({ round: 1 }, context),
      });
    },
  );
  server.registerTool(
    "test_input_required_result_multi_round",
    { description: "Asks twice", inputSchema: noArguments },
    async (_, context) => {
      const { inputResponses, requestState } = context.mcpReq;
      const round = requestState<{ round: number }>()?.round ?? 0;
      const color = acceptedContent(inputResponses, "step2", colorSchema);
      if (round === 2 && color) return text(`Your favorite color is ${color.color}.`);
      if (round >= 1 && acceptedContent(inputResponses, "step1", personSchema)) {
        return inputRequired({
          inputRequests: { step2: formRequest("Step 2: What is your favorite color?", colorSchema) },
          requestState: await codec.mint({ round: 2 }, context),
        });
      }
      return inputRequired({
        inputRequests: { step1: formRequest("Step 1: What is your name?", personSchema) },
        requestState: await codec.mint({ round: 1 }, context),
      });
    },
  );
}

export function registerInputTools(
  server: McpServer,
  codec: RequestStateCodec<{ readonly round: number }>,
): void {
  registerLegacyNames(server);
  registerSingleRounds(server);
  registerMultipleRounds(server, codec);
}
