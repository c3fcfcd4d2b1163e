import {
  type FieldShape,
  type ObjectField,
  type ObjectShape,
  createResourceShape,
} from './src/schema/resource-shape.ts';
import type { ServerFieldFacts, ServerKind } from './src/fields/field-facts.ts';

/** One of several forms of an object: what it must have, what it cannot have, what a choice is narrowed to. */
interface Form {
  readonly name: string;
  readonly about: string;
  readonly needs: readonly string[];
  readonly lacks: readonly string[];
  readonly narrows?: Readonly<Record<string, readonly string[]>>;
}

/** The fields of `MCPServer.spec` with their meaning, in the order of the declaration. */
const serverFields = () =>
  createResourceShape('MCPServer').spec.fields.map(({ name, server, default: value }) => {
    if (server === undefined) throw new Error(`no meaning of the field ${name}`);
    // The API server adds defaults before it evaluates the rules, so that each server of the other kind would be refused.
    if (server.isRefusedElsewhere === true && value !== undefined)
      throw new Error(`${name} is refused for some servers, so its schema must have no default`);
    return { name, ...server };
  });

const fieldsOnlyFor = (kind: ServerKind): readonly string[] =>
  serverFields()
    .filter((field) => field.kind === kind)
    .map(({ name }) => name);

/** The rules between fields that a type can say: a document is one of these forms. */
const FORMS: Readonly<Record<string, readonly Form[]>> = {
  MCPServerSpec: [
    {
      name: 'StdioServerSpec',
      about: 'A server that runs as a child process.',
      needs: ['command'],
      lacks: fieldsOnlyFor('remote'),
      narrows: { type: ['stdio'] },
    },
    {
      name: 'RemoteServerSpec',
      about: 'A server that is reached over HTTP.',
      needs: ['url'],
      lacks: fieldsOnlyFor('stdio'),
      narrows: { type: ['streamable-http', 'sse'] },
    },
  ],
  Step: [
    {
      name: 'ToolStep',
      about: 'A step that calls a tool.',
      needs: ['tool'],
      lacks: ['forEach', 'parallel'],
    },
    {
      name: 'ForEachStep',
      about: 'A step that runs its sub-steps once for each item of a list.',
      needs: ['forEach'],
      lacks: ['tool', 'args', 'parallel'],
    },
    {
      name: 'ParallelStep',
      about: 'A step whose sub-steps run at once.',
      needs: ['parallel'],
      lacks: ['tool', 'args', 'forEach'],
    },
  ],
  Condition: [
    {
      name: 'TemplateCondition',
      about: 'A condition that is rendered.',
      needs: ['template'],
      lacks: ['tool', 'args', 'fromStep'],
    },
    {
      name: 'ToolCondition',
      about: 'A condition on what a tool answers.',
      needs: ['tool'],
      lacks: ['template', 'fromStep'],
    },
    {
      name: 'FromStepCondition',
      about: 'A condition on the result of an earlier step.',
      needs: ['fromStep'],
      lacks: ['template', 'tool', 'args'],
    },
  ],
};

const ABOUT: Readonly<Record<string, string>> = {
  ArgumentDefinition: 'One argument of a workflow.',
  Auth: 'The method by which a remote server authenticates its callers.',
  AuthorizationServer: 'The authorization server of a backend without RFC 9728 metadata.',
  Breaker: 'Refusal of calls after failures in a row.',
  ClientCredentialsSecretRef: 'The secret that contains client credentials.',
  ConfigMapKeyRef: 'A key of a ConfigMap.',
  Condition: 'The condition for running a step.',
  DefaultsFrom: 'An argument whose value is in a Secret or ConfigMap.',
  EnvFrom: 'An environment variable whose value is in a Secret or ConfigMap.',
  Expectation: 'The requirements for a result.',
  Family: 'Equivalent servers under one exposed surface.',
  ForEach: 'A loop.',
  HeadersFrom: 'A header whose value is in a Secret or ConfigMap.',
  MCPServerSpec: '`spec` of an `MCPServer`.',
  Metadata: '`metadata` of a resource.',
  RateLimit: 'Calls in a period.',
  RequestLimits: 'Limits of calls.',
  SecretKeyRef: 'A key of a Secret.',
  Step: 'One step of a workflow.',
  SubStep: 'A step inside of `forEach`, `parallel` or `onFailure`: always a tool call.',
  TokenExchange: 'RFC 8693 token exchange.',
  ToolAnnotations: 'Hints about a tool.',
  ToolRule: 'A change of the tools of a server that match `name` or `pattern`.',
  WorkflowSpec: '`spec` of a `Workflow`.',
};

/** As Prettier breaks lines. */
const MAX_LINE = 100;

const typeNameOf = (name: string): string => `${name.replace(/^MCP/, 'Mcp')}Document`;
const literals = (values: readonly string[]): string =>
  values.map((value) => `'${value}'`).join(' | ');

const typeOf = (shape: FieldShape): string => {
  switch (shape.kind) {
    case 'text':
      return 'string';
    case 'choice':
      return literals(shape.values);
    case 'flag':
      return 'boolean';
    case 'integer':
      return 'number';
    case 'list':
      return `readonly ${typeOf(shape.items)}[]`;
    case 'object':
      return typeNameOf(shape.name);
    case 'map':
      return `Readonly<Record<string, ${typeOf(shape.values)}>>`;
    case 'mapping':
      return 'JsonMap';
    case 'value':
      return 'JsonValue';
  }
};

const boundText = ({ shape, default: value }: ObjectField): string => {
  const most = shape.kind === 'text' ? ` At most ${String(shape.bounds.max)} characters.` : '';
  return `${most}${value === undefined ? '' : ` Default: \`${JSON.stringify(value)}\`.`}`;
};

const memberLines = (field: ObjectField, form: Form | undefined): readonly string[] => {
  if (form?.lacks.includes(field.name) === true) return [`  readonly ${field.name}?: never;`];
  const mark = field.isRequired || form?.needs.includes(field.name) === true ? '' : '?';
  const narrowed = form?.narrows?.[field.name];
  const type = narrowed === undefined ? typeOf(field.shape) : literals(narrowed);
  const note = field.about === undefined ? [] : [`  /** ${field.about}${boundText(field)} */`];
  return [...note, `  readonly ${field.name}${mark}: ${type};`];
};

const typeText = (shape: ObjectShape, form?: Form): string => {
  const about = form?.about ?? ABOUT[shape.name];
  if (about === undefined) throw new Error(`no description of ${shape.name} in ABOUT`);
  return [
    `/** ${about} */`,
    `export type ${typeNameOf(form?.name ?? shape.name)} = {`,
    ...shape.fields.flatMap((field) => memberLines(field, form)),
    '};',
  ].join('\n');
};

const typesOf = (shape: ObjectShape): readonly string[] => {
  const forms = FORMS[shape.name];
  if (forms === undefined) return [typeText(shape)];
  const union = forms.map(({ name }) => typeNameOf(name)).join(' | ');
  const start = `export type ${typeNameOf(shape.name)} =`;
  const fits = start.length + union.length + ' ;'.length <= MAX_LINE;
  return [
    ...forms.map((form) => typeText(shape, form)),
    `/** ${ABOUT[shape.name] ?? ''} */\n${start}${fits ? ' ' : '\n  '}${union};`,
  ];
};

/** Every object in a shape, itself included, each once, in the order in which they are met. */
const objectsIn = (shape: FieldShape, found = new Map<string, ObjectShape>()) => {
  if (shape.kind === 'object' && !found.has(shape.name)) {
    found.set(shape.name, shape);
    for (const field of shape.fields) objectsIn(field.shape, found);
  }
  if (shape.kind === 'list') objectsIn(shape.items, found);
  if (shape.kind === 'map') objectsIn(shape.values, found);
  return found;
};

const documentText = (kind: string, name: string): string =>
  [
    `/** A document of the kind \`${kind}\`, as it is written. @spec §1.5 */`,
    `export type ${name}Document = {`,
    '  /** API group and version: `gateway.internal/v1alpha1`, unless configured otherwise. */',
    '  readonly apiVersion: string;',
    `  readonly kind: '${kind}';`,
    '  readonly metadata: MetadataDocument;',
    `  readonly spec: ${name}SpecDocument;`,
    '  /** Written by the gateway. Accepted and ignored. */',
    '  readonly status?: JsonValue;',
    '};',
  ].join('\n');

const NOTE = '// Generated from the definitions of the fields by `pnpm gen`.';

/** `src/documents/documents.ts`: the documents of all kinds as types, for those who write them in TypeScript. */
export const documentTypes = (): string => {
  const kinds = (['MCPServer', 'Workflow'] as const).flatMap((kind) => [
    documentText(kind, kind.replace(/^MCP/, 'Mcp')),
    ...[...objectsIn(createResourceShape(kind).spec).values()].flatMap(typesOf),
  ]);
  const types = [...typesOf(createResourceShape('MCPServer').metadata), ...kinds];
  return `${NOTE}\nimport type { JsonMap, JsonValue } from '@gateway/go-template';\n\n${types.join('\n\n')}\n`;
};

/** A list of literals as Prettier breaks it. */
const listText = (values: readonly string[], indent: string): string => {
  const line = `[${values.map((value) => `'${value}'`).join(', ')}]`;
  return line.length <= 64
    ? line
    : `[\n${values.map((value) => `${indent}  '${value}',\n`).join('')}${indent}]`;
};

/** `src/documents/field-lists.ts`: the names of fields by their meaning, for code that must not import zod. */
export const fieldLists = (): string => {
  const fieldNames = (isListed: (facts: ServerFieldFacts) => boolean): readonly string[] =>
    serverFields()
      .filter(isListed)
      .map(({ name }) => name);
  const byKind = (isListed: (facts: ServerFieldFacts, kind: ServerKind) => boolean): string => {
    const lines = (['stdio', 'remote'] as const).map(
      (kind) =>
        `  ${kind}: ${listText(
          fieldNames((facts) => isListed(facts, kind)),
          '  ',
        )},\n`,
    );
    return `{\n${lines.join('')}}`;
  };
  const list = (isListed: (facts: ServerFieldFacts) => boolean) =>
    listText(fieldNames(isListed), '');
  const constants: readonly (readonly [about: string, name: string, value: string])[] = [
    [
      'Fields that have a meaning for servers of one kind only.',
      'KIND_FIELDS',
      byKind((field, kind) => field.kind === kind),
    ],
    [
      'Fields of one kind that servers of the other kind must not have.',
      'REFUSED_ELSEWHERE',
      byKind((field, kind) => field.kind === kind && field.isRefusedElsewhere === true),
    ],
    [
      'Fields whose change replaces the connections of a server.',
      'CONNECTION_FIELDS',
      byKind(
        ({ kind: only, reconnects }, kind) =>
          (only ?? kind) === kind && (reconnects === kind || reconnects === 'all'),
      ),
    ],
    [
      'Values that absent fields mean.',
      'UNSET_VALUES',
      `{ ${serverFields()
        .flatMap(({ name, unset }) => (unset === undefined ? [] : [`${name}: '${unset}'`]))
        .join(', ')} }`,
    ],
    ['Maps whose values are secrets.', 'SECRET_FIELDS', list(({ isSecret }) => isSecret === true)],
    [
      'Fields in whose texts file mode replaces placeholders.',
      'PLACEHOLDER_FIELDS',
      list(({ hasPlaceholders }) => hasPlaceholders === true),
    ],
    [
      'Fields that do not decide where the values of a server are sent.',
      'NEUTRAL_FIELDS',
      list(({ keepsDestination }) => keepsDestination === true),
    ],
  ];
  return `${NOTE}\n\n${constants
    .map(([about, name, value]) => `/** ${about} */\nexport const ${name} = ${value} as const;\n`)
    .join('\n')}`;
};
