import { evaluate, type MemberNode, parse, type ValueNode } from '@humanwhocodes/momoa';

const BYTE_ORDER_MARK = '\uFEFF';

/** Returns a text without the byte order mark that editors of Windows write. */
export const withoutMark = (text: string): string =>
  text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;

/** The syntax tree and the value of a text, or the place of its first error where it is known. */
type JsonText =
  | { readonly ok: true; readonly tree: ValueNode; readonly value: unknown }
  | { readonly ok: false; readonly place?: string };

export const formatLineColumn = (line: number, column: number): string =>
  `line ${String(line)} column ${String(column)}`;

const findErrorPlace = (text: string, error: unknown): string | undefined => {
  if (text.trim() === '') return 'it is empty';
  // The parser calls itself for each level.
  if (error instanceof RangeError) return 'it is nested too deeply';
  if (!(error instanceof Error) || !('line' in error) || !('column' in error)) return undefined;
  return error.message.startsWith('Unexpected end')
    ? 'its end is missing'
    : formatLineColumn(Number(error.line), Number(error.column));
};

/** Parses JSON with the comments and trailing commas that editors permit in their settings. @param text a text without byte order mark */
export const parseJson = (text: string): JsonText => {
  try {
    const { body: tree } = parse(text, { mode: 'jsonc', allowTrailingCommas: true });
    return { ok: true, tree, value: evaluate(tree) };
  } catch (error) {
    const place = findErrorPlace(text, error);
    return { ok: false, ...(place !== undefined && { place }) };
  }
};

/** Returns the members of an object that have a key: several when the text repeats it; none for another value. */
export const findMembers = (node: ValueNode, key: string): readonly MemberNode[] =>
  node.type === 'Object'
    ? node.members.filter(({ name }) => name.type === 'String' && name.value === key)
    : [];
