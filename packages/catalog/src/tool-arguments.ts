import {
  escapeInvisible,
  isJsonObject,
  isText,
  type JsonObject,
  readOwnField,
  toList,
  toObject,
  toTexts,
} from '@gateway/call-contract';

/** Longest signature, and longest type, name and literal in it, in UTF-16 code units. */
const MAX_SIGNATURE_CHARS = 200;
const MAX_TYPE_CHARS = 60;
const MAX_NAME_CHARS = 64;
const MAX_LITERAL_CHARS = 32;

/** Nested arrays and unions of a type that are shown. */
const MAX_LEVELS = 3;

/** The most branches of a union that are checked. */
const MAX_BRANCHES = 16;

/** The most problems of a call that are named. */
const MAX_PROBLEMS = 3;

const ANY = 'any';
const MORE = '…';

const shorten = (text: string, maxChars: number): string =>
  text.length <= maxChars ? text : `${text.slice(0, maxChars - 1)}${MORE}`;

/** Joins the different texts of items up to a number of characters; `…` stands for the others. */
function joinBriefly<T>(
  items: readonly T[],
  format: (item: T) => string,
  { separator, maxChars }: { readonly separator: string; readonly maxChars: number },
): string {
  const texts = new Set<string>();
  let chars = 0;
  for (const item of items) {
    const text = format(item);
    if (texts.has(text)) continue;
    chars += text.length + separator.length;
    if (chars > maxChars) return [...texts, MORE].join(separator);
    texts.add(text);
  }
  return [...texts].join(separator);
}

const formatLiteral = (value: unknown): string =>
  shorten(escapeInvisible(JSON.stringify(value)), MAX_LITERAL_CHARS);

const PLAIN_NAME = /^[\w$.-]+$/;

const formatName = (name: string): string =>
  PLAIN_NAME.test(name) ? shorten(name, MAX_NAME_CHARS) : formatLiteral(name);

/** A schema, and the one whose definitions it may refer to: none after a reference, so that references cannot form a cycle. */
interface SchemaNode {
  readonly schema: JsonObject;
  readonly root: JsonObject | undefined;
}

const DEFINITION = /^#\/(\$defs|definitions)\/([^/]+)$/;

/** Returns a schema, or the definition that it refers to; `undefined` for what cannot be read. */
function readNode(value: unknown, root: JsonObject | undefined): SchemaNode | undefined {
  if (!isJsonObject(value)) return undefined;
  const reference = readOwnField(value, '$ref');
  if (reference === undefined) return { schema: value, root };
  const [, keyword, name] = (isText(reference) && DEFINITION.exec(reference)) || [];
  if (root === undefined || keyword === undefined || name === undefined) return undefined;
  const key = name.replaceAll('~1', '/').replaceAll('~0', '~');
  return readNode(readOwnField(readOwnField(root, keyword), key), undefined);
}

const listTypeNames = (schema: unknown): readonly unknown[] => {
  const type = readOwnField(schema, 'type');
  return isText(type) ? [type] : toList(type);
};

const listBranches = (schema: JsonObject): readonly unknown[] =>
  toList(readOwnField(schema, 'anyOf') ?? readOwnField(schema, 'oneOf'));

/** Formats the type of a schema: `string`, `"a"|"b"`, `integer[]`, `string|null`, `object`; `any` when it cannot be read. */
function formatType(value: unknown, root: JsonObject | undefined, levels = MAX_LEVELS): string {
  const node = levels > 0 ? readNode(value, root) : undefined;
  if (node === undefined) return ANY;
  const join = <T>(items: readonly T[], format: (item: T) => string): string =>
    joinBriefly(items, format, { separator: '|', maxChars: MAX_TYPE_CHARS });
  const { schema } = node;
  const literals = Object.hasOwn(schema, 'const')
    ? [schema['const']]
    : toList(readOwnField(schema, 'enum'));
  return (
    join(literals, formatLiteral) ||
    join(listTypeNames(schema), (name) => formatTypeName(name, node, levels)) ||
    join(listBranches(schema), (branch) => formatType(branch, node.root, levels - 1)) ||
    ANY
  );
}

function formatTypeName(name: unknown, { schema, root }: SchemaNode, levels: number): string {
  if (name !== 'array') return isText(name) ? shorten(name, MAX_LITERAL_CHARS) : ANY;
  const item = formatType(readOwnField(schema, 'items'), root, levels - 1);
  return item.includes('|') ? `(${item})[]` : `${item}[]`;
}

/** Keywords that may name further arguments, which are not read. */
const COMPOSITIONS = ['anyOf', 'oneOf', 'allOf'];

const TYPES: ReadonlySet<unknown> = new Set(
  'string number integer boolean array object null'.split(' '),
);

const areTypes = (names: readonly unknown[]): boolean =>
  names.length > 0 && names.length <= TYPES.size && names.every((name) => TYPES.has(name));

/** The types that a schema allows; `undefined` when they cannot be read, so that no argument is refused by mistake. */
function readTypes(value: unknown, root: JsonObject): ReadonlySet<unknown> | undefined {
  const node = readNode(value, root);
  if (node === undefined) return undefined;
  const { schema } = node;
  const listed = Object.hasOwn(schema, 'type') ? [schema] : listBranches(schema);
  if (listed.length === 0 || listed.length > MAX_BRANCHES) return undefined;
  const branches = listed.map((branch) => readNode(branch, node.root)?.schema);
  const names = branches.map(listTypeNames);
  if (!names.every(areTypes)) return undefined;
  const types = new Set(names.flat());
  if (types.has('number')) types.add('integer');
  // OpenAPI 3.0 writes `nullable` where JSON Schema has the type `null`.
  if ([schema, ...branches].some((one) => readOwnField(one, 'nullable') === true))
    types.add('null');
  return types;
}

/** The arguments of a tool, as far as its schema can be read. */
interface ToolArguments {
  readonly signature: string;
  readonly required: readonly string[];
  /** The types of the arguments that are checked. */
  readonly types: ReadonlyMap<string, ReadonlySet<unknown>>;
  readonly properties: JsonObject;
}

function readArguments(inputSchema: JsonObject): ToolArguments {
  const schema = readNode(inputSchema, inputSchema)?.schema;
  const properties = toObject(readOwnField(schema, 'properties'));
  const demanded = new Set(toTexts(readOwnField(schema, 'required')));
  // Some servers demand an argument that has a default, and take calls without it.
  const isRequired = (name: string): boolean =>
    demanded.has(name) && readOwnField(readOwnField(properties, name), 'default') === undefined;
  const names = [...new Set([...Object.keys(properties), ...demanded])];
  const required = names.filter(isRequired);
  const signature = joinBriefly(
    [...required, ...names.filter((name) => !isRequired(name))],
    (name) =>
      `${formatName(name)}${isRequired(name) ? '' : '?'}: ${formatType(readOwnField(properties, name), inputSchema)}`,
    { separator: ', ', maxChars: MAX_SIGNATURE_CHARS },
  );
  const isElsewhere =
    schema === undefined || COMPOSITIONS.some((key) => Object.hasOwn(schema, key));
  const types = names.flatMap((name) => {
    const allowed = readTypes(readOwnField(properties, name), inputSchema);
    return allowed === undefined ? [] : [[name, allowed] as const];
  });
  return {
    signature: signature === '' && isElsewhere ? MORE : signature,
    required,
    types: new Map(types),
    properties,
  };
}

const knownArguments = new WeakMap<JsonObject, ToolArguments>();

function findArguments(inputSchema: JsonObject): ToolArguments {
  const known = knownArguments.get(inputSchema);
  if (known !== undefined) return known;
  const read = readArguments(inputSchema);
  knownArguments.set(inputSchema, read);
  return read;
}

/**
 * Returns the arguments of a tool in one line of about 200 characters at most: `path: string, tail?: integer`. Required ones come first, `…`
 * stands for what does not fit or cannot be read, and a tool without arguments has an empty one.
 */
export const formatSignature = (inputSchema: JsonObject): string =>
  findArguments(inputSchema).signature;

/** The name of the type of a JSON value. A number without a fraction is an integer, also one too large for a double. */
function findType(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value !== 'number') return typeof value;
  return Number.isFinite(value) && !Number.isInteger(value) ? 'number' : 'integer';
}

/**
 * Returns up to three problems of a call by the schema of its tool: a required argument that is missing, or one whose value has a wrong type.
 * Values inside of arguments are not checked, and neither is what the schema says in other words.
 */
export function checkArguments(inputSchema: JsonObject, args: JsonObject): readonly string[] {
  const { required, types, properties } = findArguments(inputSchema);
  const problems: string[] = [];
  for (const name of required) {
    if (Object.hasOwn(args, name)) continue;
    if (problems.push(`${formatName(name)} is required`) === MAX_PROBLEMS) return problems;
  }
  for (const name of Object.keys(args)) {
    const type = findType(args[name]);
    if (types.get(name)?.has(type) !== false) continue;
    const expected = formatType(readOwnField(properties, name), inputSchema);
    const problem = `${formatName(name)} must be ${expected}, not ${type}`;
    if (problems.push(problem) === MAX_PROBLEMS) return problems;
  }
  return problems;
}
