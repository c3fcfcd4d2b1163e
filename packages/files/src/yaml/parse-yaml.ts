import {
  Composer,
  type CST,
  type Document,
  type ErrorCode,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  type Node,
  Parser,
  visit,
  type YAMLError,
} from 'yaml';

/** The maximum number of problems reported for one YAML text. */
const MAX_PROBLEMS = 20;

/** The maximum number of tokens in one YAML text. */
const MAX_LEXEMES = 500_000;

/** The maximum number of documents in one YAML text. */
const MAX_DOCUMENTS = 100;

/** The maximum nesting depth of a YAML document. */
const MAX_DEPTH = 100;

/** Returns the offsets of repeated keys of every mapping, in linear time, unlike the check of the library; at most `max`. */
const listDuplicateKeyOffsets = (document: Document.Parsed, max: number): readonly number[] => {
  const offsets: number[] = [];
  visit(document, {
    Map: (_key, map) => {
      const seen = new Set<string>();
      for (const { key } of map.items) {
        if (!isScalar(key)) continue;
        const text = String(key.value);
        if (seen.has(text)) offsets.push(key.range?.[0] ?? 0);
        seen.add(text);
      }
      return offsets.length < max ? undefined : visit.BREAK;
    },
  });
  return offsets;
};

/** Returns the offset of the first alias whose anchor does not come before it; undefined when there is none. */
const findUnknownAlias = (document: Document.Parsed): number | undefined => {
  const anchors = new Set<string>();
  let offset: number | undefined;
  visit(document, {
    Value: (_key, { anchor }) => {
      if (anchor !== undefined) anchors.add(anchor);
    },
    Alias: (_key, alias) => {
      if (anchors.has(alias.source)) return undefined;
      offset = alias.range?.[0] ?? 0;
      return visit.BREAK;
    },
  });
  return offset;
};

const UNQUOTED_TEMPLATE = `a text that begins with "{{" must be in quotes, as '{{ ... }}'`;
const MISSING_QUOTE = 'a closing quote is missing';

/** Returns whether the offset is at the second of two braces: YAML parses an unquoted template as a mapping whose key is a mapping. */
const isTemplate = (text: string, offset: number): boolean =>
  offset > 0 && text.startsWith('{{', offset - 1);

/** One fixed text for each error. The texts of the library repeat parts of the text, which may be a secret. */
const TEXTS: Readonly<Record<ErrorCode, string>> = {
  ALIAS_PROPS: 'an alias must not have an anchor or a tag',
  BAD_ALIAS: 'the name of an anchor or an alias is invalid',
  BAD_COLLECTION_TYPE: 'a tag is not supported; write a plain value',
  BAD_DIRECTIVE: 'a directive is invalid; remove the line that begins with "%"',
  BAD_DQ_ESCAPE: 'a text in double quotes has an invalid escape sequence',
  BAD_INDENT: 'the indentation is invalid',
  BAD_PROP_ORDER: 'an anchor or a tag is before an indicator; write it after the indicator',
  BAD_SCALAR_START: 'a text that begins with a special character must be in quotes',
  BLOCK_AS_IMPLICIT_KEY:
    'a nested mapping or list must begin on a new line, and a text with ": " must be in quotes',
  BLOCK_IN_FLOW: 'a mapping or list inside [] or {} must be in brackets too',
  DUPLICATE_KEY: 'a key is repeated',
  IMPOSSIBLE: 'is not valid YAML',
  KEY_OVER_1024_CHARS: 'a key has more than 1024 characters',
  MISSING_CHAR: 'a character is missing: ":" after a key, "," between items, or a blank',
  MULTILINE_IMPLICIT_KEY: 'a key must be on one line and be followed by ":"',
  MULTIPLE_ANCHORS: 'a value has more than one anchor',
  MULTIPLE_DOCS: 'holds more than one document',
  MULTIPLE_TAGS: 'a value has more than one tag',
  NON_STRING_KEY: 'a key must be a text',
  RESOURCE_EXHAUSTION: 'nests too deeply',
  TAB_AS_INDENT: 'tabs are not allowed as indentation',
  TAG_RESOLVE_FAILED: 'a tag is not supported; write a plain value',
  UNEXPECTED_TOKEN: 'a character or an item is not allowed here',
};

/** The text for a repeated key. */
const REPEATED_KEY = TEXTS.DUPLICATE_KEY;

/** The text for an alias without an anchor before it. */
const UNRESOLVED_ALIAS =
  'an alias has no anchor before it; write a text that begins with "*" in quotes';

/** Returns the error as a message, which repeats nothing of the text. */
const formatYamlError = (
  { code, message, pos }: Pick<YAMLError, 'code' | 'message' | 'pos'>,
  text: string,
): string => {
  if (code === 'NON_STRING_KEY' && isTemplate(text, pos[0])) return UNQUOTED_TEMPLATE;
  return message.startsWith('Missing closing') ? MISSING_QUOTE : TEXTS[code];
};

/** A position in a text. Lines and columns start at 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** A path into a document: keys of mappings and indexes of sequences. */
export type DocumentPath = readonly (string | number)[];

interface Step {
  readonly at: number | undefined;
  readonly node: Node | undefined;
}

const findStart = (node: unknown): number | undefined =>
  isNode(node) ? (node.range?.[0] ?? undefined) : undefined;

const toNode = (value: unknown): Node | undefined => (isNode(value) ? value : undefined);

/** Returns the offset of a key or sequence item, and the node that is its value. */
const findChild = (parent: Node, segment: string | number): Step | undefined => {
  if (isMap(parent)) {
    const pair = parent.items.find(({ key }) => isScalar(key) && String(key.value) === segment);
    return pair && { at: findStart(pair.key), node: toNode(pair.value) };
  }
  if (isSeq(parent) && typeof segment === 'number') {
    const item = parent.items[segment];
    return item === undefined ? undefined : { at: findStart(item), node: toNode(item) };
  }
  return undefined;
};

/**
 * Returns a function that finds the position of a path: that of its key or sequence item. A path that the document does not have is at the
 * position of its deepest existing part.
 */
const createPositions =
  (document: Document.Parsed, lines: LineCounter) =>
  (path: DocumentPath): Position => {
    let node: Node | undefined = document.contents ?? undefined;
    let offset = findStart(node) ?? 0;
    for (const segment of path) {
      const parent: Node | undefined = isAlias(node) ? node.resolve(document) : node;
      const found: Step | undefined = parent && findChild(parent, segment);
      if (found === undefined) break;
      offset = found.at ?? offset;
      node = found.node;
    }
    return computePosition(lines, offset);
  };

/** Returns the position of an offset. */
const computePosition = (lines: LineCounter, offset: number): Position => {
  const { line, col } = lines.linePos(offset);
  return { line: Math.max(1, line), column: Math.max(1, col) };
};

/** A problem of a text, with its position. The message repeats nothing of the text. */
interface YamlProblem extends Position {
  readonly message: string;
}

/** One YAML document as nodes, or every problem of the text. */
type ComposedYaml =
  | { readonly ok: true; readonly document: Document.Parsed; readonly lines: LineCounter }
  | { readonly ok: false; readonly problems: readonly YamlProblem[] };

/** YAML 1.2 core, whatever the directives of the text: no merge keys, no tags that create other than plain data. */
const OPTIONS = {
  schema: 'core',
  merge: false,
  resolveKnownTags: false,
  stringKeys: true,
  uniqueKeys: false,
  strict: true,
  prettyErrors: false,
  logLevel: 'silent',
} as const;

type Tokens =
  | { readonly ok: true; readonly tokens: readonly CST.Token[] }
  | { readonly ok: false; readonly message: string };

/** Splits the text into tokens within the bounds. Checks the depth here because the composer recurses. */
const listTokens = (text: string, lines: LineCounter): Tokens => {
  const parser = new Parser(lines.addNewLine);
  const tokens: CST.Token[] = [];
  let lexemes = 0;
  lines.addNewLine(0);
  for (const lexeme of new Lexer().lex(text)) {
    for (const token of parser.next(lexeme)) tokens.push(token);
    lexemes += 1;
    if (parser.stack.length > MAX_DEPTH) {
      return { ok: false, message: `nests deeper than ${String(MAX_DEPTH)} levels` };
    }
    if (lexemes > MAX_LEXEMES) {
      return { ok: false, message: `holds more than ${String(MAX_LEXEMES)} tokens` };
    }
  }
  for (const token of parser.end()) tokens.push(token);
  return { ok: true, tokens };
};

interface Finding {
  readonly offset: number;
  readonly message: string;
}

const listAliasFindings = (document: Document.Parsed): readonly Finding[] => {
  const offset = findUnknownAlias(document);
  return offset === undefined ? [] : [{ offset, message: UNRESOLVED_ALIAS }];
};

/** Returns the first problems. A text with errors has no reliable keys and aliases, which are not checked then. */
const listFindings = (document: Document.Parsed, text: string): readonly Finding[] => {
  const { errors, warnings } = document;
  if (errors.length > 0 || warnings.length > 0) {
    return [...errors.slice(0, MAX_PROBLEMS), ...warnings.slice(0, MAX_PROBLEMS)].map((error) => ({
      offset: error.pos[0],
      message: formatYamlError(error, text),
    }));
  }
  const repeated = listDuplicateKeyOffsets(document, MAX_PROBLEMS);
  return [
    ...repeated.map((offset) => ({ offset, message: REPEATED_KEY })),
    ...listAliasFindings(document),
  ];
};

const listProblems = (
  document: Document.Parsed,
  text: string,
  lines: LineCounter,
): readonly YamlProblem[] =>
  listFindings(document, text)
    .toSorted((a, b) => a.offset - b.offset)
    .slice(0, MAX_PROBLEMS)
    .map(({ message, offset }) => ({ ...computePosition(lines, offset), message }));

/** Returns the result for an invalid text. */
export const refuseYaml = (
  message: string,
  position: Position = { line: 1, column: 1 },
): Extract<ComposedYaml, { ok: false }> => ({
  ok: false,
  problems: [{ ...position, message }],
});

type Documents =
  | {
      readonly ok: true;
      readonly documents: readonly Document.Parsed[];
      readonly lines: LineCounter;
    }
  | Extract<ComposedYaml, { ok: false }>;

const readDocuments = (text: string): Documents => {
  const lines = new LineCounter();
  const tokens = listTokens(text, lines);
  if (!tokens.ok) return refuseYaml(tokens.message);
  const documents = [...new Composer(OPTIONS).compose(tokens.tokens, true, text.length)];
  return { ok: true, documents, lines };
};

/** Parses a text that must be one YAML 1.2 document of at most 100 levels and 500,000 tokens. Never throws. */
export const composeYaml = (text: string): ComposedYaml => {
  const read = readDocuments(text);
  if (!read.ok) return read;
  const { documents, lines } = read;
  const [document, second] = documents;
  if (document === undefined) return refuseYaml('holds no document');
  if (second !== undefined) {
    const position = computePosition(lines, second.range[0]);
    return refuseYaml('holds more than one document; write one resource per file', position);
  }
  const problems = listProblems(document, text, lines);
  return problems.length > 0 ? { ok: false, problems } : { ok: true, document, lines };
};

/** Parses the at most 100 YAML 1.2 documents of a text, which together have the bounds of one. Never throws. */
const composeDocuments = (text: string): Documents => {
  const read = readDocuments(text);
  if (!read.ok) return read;
  if (read.documents.length > MAX_DOCUMENTS) {
    return refuseYaml(`holds more than ${String(MAX_DOCUMENTS)} documents`);
  }
  const problems = read.documents.flatMap((document) => listProblems(document, text, read.lines));
  return problems.length > 0 ? { ok: false, problems: problems.slice(0, MAX_PROBLEMS) } : read;
};

/** The maximum number of values in one YAML document, with every alias expanded. */
const MAX_VALUES = 200_000;

type PlainValue =
  { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly message: string };

const listChildren = (value: unknown): unknown[] =>
  typeof value === 'object' && value !== null ? (Object.values(value) as unknown[]) : [];

/** Returns which bound the document exceeds with every alias expanded; undefined for none. A cycle of aliases exceeds the depth. */
const validateBounds = (root: unknown): string | undefined => {
  let level: unknown[] = [root];
  let count = 0;
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH)
      return `nests deeper than ${String(MAX_DEPTH)} levels through its aliases`;
    count += level.length;
    if (count > MAX_VALUES) return `holds more than ${String(MAX_VALUES)} values`;
    level = level.flatMap(listChildren);
  }
  return undefined;
};

/** Returns the document as plain data: objects with own keys only, arrays, strings, numbers, booleans, null. */
export const toPlainValue = (document: Document.Parsed): PlainValue => {
  // The library limits the number of aliases; this package limits the expanded size. Aliases share their value.
  const value: unknown = document.toJS({ maxAliasCount: -1 });
  const message = validateBounds(value);
  return message === undefined ? { ok: true, value } : { ok: false, message };
};

/** One YAML document as plain data, or every problem of the text. */
export type ParsedYaml =
  | {
      readonly ok: true;
      readonly value: unknown;
      readonly locate: (path: DocumentPath) => Position;
    }
  | { readonly ok: false; readonly problems: readonly YamlProblem[] };

/** {@link ParsedYaml} with the positions of given paths, for another process. */
export type YamlAnswer =
  | { readonly ok: true; readonly value: unknown; readonly positions: readonly Position[] }
  | { readonly ok: false; readonly problems: readonly YamlProblem[] };

const toYamlResult = (document: Document.Parsed, lines: LineCounter): ParsedYaml => {
  try {
    const plain = toPlainValue(document);
    return plain.ok
      ? { ok: true, value: plain.value, locate: createPositions(document, lines) }
      : refuseYaml(plain.message);
  } catch {
    // The message of the library may repeat parts of the text.
    return refuseYaml('cannot be converted to plain values');
  }
};

/**
 * Parses a text that must be one YAML 1.2 document of plain data. An empty text is the value null.
 * Depth, values and alias expansion are bounded; never throws.
 */
export const parseYaml = (text: string): ParsedYaml => {
  const composed = composeYaml(text);
  return composed.ok ? toYamlResult(composed.document, composed.lines) : composed;
};

/** Parses every document of a text. Invalid YAML gives one result with the problems. Never throws. */
export const parseYamlDocuments = (text: string): readonly ParsedYaml[] => {
  const composed = composeDocuments(text);
  if (!composed.ok) return [composed];
  return composed.documents.map((document) => toYamlResult(document, composed.lines));
};
