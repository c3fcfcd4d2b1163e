import { answerReference } from '../openapi/component-schemas.ts';
import { refusalsOf, type RefusalKind } from '../openapi/refusal-responses.ts';
import type { OperationHints } from '../operations/operation.ts';
import { inputSchemaOf } from '../operations/operation-schemas.ts';
import { OPERATIONS, type OperationName } from '../operations/operations.ts';
import { pathArguments } from '../operations/path-arguments.ts';
import { answerExample, curlExample, mcpExample } from './call-example.ts';
import { fieldList, type ListedField } from './field-list.ts';
import { markup, NOTHING, withCode, type Html } from './markup.ts';
import { schemaFields, schemaType } from './schema-type.ts';

const HINT_WORDS: Readonly<Record<keyof OperationHints, string>> = {
  readOnlyHint: 'read-only',
  destructiveHint: 'destructive',
  idempotentHint: 'idempotent',
  openWorldHint: 'asks servers elsewhere',
};

const hintWords = (hints: OperationHints): string =>
  (Object.keys(HINT_WORDS) as (keyof OperationHints)[])
    .filter((hint) => hints[hint])
    .map((hint) => HINT_WORDS[hint])
    .join(', ');

/** Where REST takes an argument from. */
const placeOf = (name: OperationName, argument: string): string => {
  const { route, query, method } = OPERATIONS[name];
  if (pathArguments(route).includes(argument)) return 'in the path';
  const inQuery = query.some((known: string) => known === argument) ? ['query'] : [];
  const inBody = method === 'POST' || method === 'PATCH' ? ['body'] : [];
  return `in the ${[...inQuery, ...inBody].join(' or the ')}`;
};

/** The arguments, those that are required first. */
const argumentsOf = (name: OperationName): readonly ListedField[] => {
  const schema = inputSchemaOf(name);
  const required: readonly unknown[] = Array.isArray(schema['required']) ? schema['required'] : [];
  const fields = schemaFields(schema).map((field) => {
    const [outermost = ''] = /^[^.[]+/.exec(field.path) ?? [];
    const note = field.path === outermost ? { note: placeOf(name, outermost) } : {};
    return { ...field, ...note, rank: required.includes(outermost) ? 0 : 1 };
  });
  return fields.toSorted((a, b) => a.rank - b.rank);
};

const refusal = ({ status, example }: RefusalKind): Html =>
  markup`<li><a href="#refusal-${status}"><code>${status}</code> ${example.code}</a></li>`;

const sample = (title: string, text: string): Html =>
  markup`<figure>
    <figcaption>${title}</figcaption>
    <pre><code>${text}</code></pre>
  </figure>`;

/** The marks of an operation: its method in colour and words, then its route. */
export const routeLine = (name: OperationName): Html => {
  const { method, route } = OPERATIONS[name];
  return markup`<span class="method ${method.toLowerCase()}">${method}</span> <code>${route}</code>`;
};

/**
 * One operation: how it is called, what it takes and answers, how it may be refused, and one call of it.
 * @param serverUrl address in front of the routes
 */
export const operationSection = (name: OperationName, serverUrl: string): Html => {
  const operation = OPERATIONS[name];
  const words = hintWords(operation.hints);
  return markup`<section id="${name}" aria-labelledby="${name}-title">
    <h3 id="${name}-title"><a href="#${name}">${operation.title}</a></h3>
    <p class="route">${routeLine(name)}</p>
    <p class="tool">
      MCP tool
      <code>${name}</code>${words === '' ? NOTHING : markup` <span class="note">${words}</span>`}
    </p>
    <p>${withCode(operation.description)}</p>
    <h4>Arguments</h4>
    ${fieldList(argumentsOf(name), 'required')}
    <h4>Answer</h4>
    <p><code>${operation.status}</code> with ${schemaType(answerReference(name))}</p>
    <h4>Refusals</h4>
    <ul class="refusals">${refusalsOf(operation).map(refusal)}</ul>
    <h4>Example</h4>
    ${sample('curl', curlExample(name, serverUrl))} ${sample('MCP', mcpExample(name))}
    <details>
      <summary>Answer to <code>${name}</code></summary>
      <pre><code>${answerExample(name)}</code></pre>
    </details>
  </section>`;
};
