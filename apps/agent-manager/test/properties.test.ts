import { Validator } from '@cfworker/json-schema';
import {
  createOpenApiDocument,
  OPERATIONS,
  type OperationName,
} from '@gateway/agent-manager-client';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { overMcp, overRest, type TransportAnswer } from './harness/transports.ts';
import { filesIn } from './harness/files-in.ts';
import { valuesOf, type JsonSchema } from './harness/schema-values.ts';
import { startService, type StartedService } from './harness/started-service.ts';

interface Response {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, { readonly schema: JsonSchema }>>;
}

interface DocumentedOperation {
  readonly 'x-mcp-tool': OperationName;
  readonly responses: Readonly<Record<string, Response>>;
}

const document = createOpenApiDocument({ version: '0.4.0' });
const documented = new Map(
  Object.values(document.paths)
    .flatMap((item) => Object.values(item) as DocumentedOperation[])
    .flatMap((one) => ('x-mcp-tool' in one ? [[one['x-mcp-tool'], one] as const] : [])),
);

/** Returns the schema of a response body in the document. */
function declaredSchema(name: OperationName, status: number): JsonSchema {
  const found = documented.get(name)?.responses[String(status)];
  if (found === undefined) throw new Error(`${name} declares no ${String(status)}`);
  const response =
    found.$ref === undefined
      ? found
      : (document.components.responses[found.$ref.split('/').at(-1) ?? ''] as Response);
  const schema = response.content?.['application/json']?.schema;
  if (schema === undefined) throw new Error(`${name} ${String(status)} has no schema`);
  return { ...schema, components: document.components };
}

const validators = new Map<string, Validator>();

function problemsOf(name: OperationName, { status, body }: TransportAnswer): readonly unknown[] {
  const key = `${name} ${String(status)}`;
  let validator = validators.get(key);
  if (validator === undefined) {
    validator = new Validator(declaredSchema(name, status), '2020-12', false);
    validators.set(key, validator);
  }
  return validator.validate(body).errors;
}

let first: StartedService;
let second: StartedService;
beforeAll(async () => {
  [first, second] = await Promise.all([startService(), startService()]);
});
afterAll(() => Promise.all([first.stop(), second.stop()]));

const names = Object.keys(OPERATIONS) as OperationName[];

/** Arguments by the published schema: valid, almost valid and unknown ones. */
const calls = fc
  .constantFrom(...names)
  .chain((name) => fc.record({ name: fc.constant(name), given: valuesOf(name) }));

it('every answer is one that the document declares, the same over REST and MCP, with the same effect', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(calls, { minLength: 1, maxLength: 12 }), async (sequence) => {
      for (const { name, given } of sequence) {
        const rest = await overRest(first.url, name, given);
        const mcp = await overMcp(second.url, name, given);
        expect(rest.status, JSON.stringify(rest.body)).not.toBe(502);
        expect(problemsOf(name, rest), `${name} ${JSON.stringify(rest.body)}`).toEqual([]);
        expect(mcp, name).toEqual(rest);
      }
      expect(filesIn(second.directory)).toEqual(filesIn(first.directory));
    }),
    { numRuns: 25 },
  );
});
