import { readFile } from 'node:fs/promises';
import type { CliIo } from '../cli-io.ts';
import { CommandFailure } from '../failure.ts';
import { fieldsOf, type Fields } from '../output/json-fields.ts';

const refuse = (text: string): never => {
  throw new CommandFailure('refused', text);
};

/** Reads `--json`: an object as it stands, `@file`, or `-` for standard input. */
export async function readWhole(source: string, io: CliIo): Promise<object> {
  const text = await textOfSource(source, io);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return refuse(`--json: ${error instanceof Error ? error.message : String(error)}`);
  }
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? value
    : refuse('--json: the arguments of a tool are a JSON object');
}

async function textOfSource(source: string, io: CliIo): Promise<string> {
  if (source === '-') return io.readStdin();
  if (!source.startsWith('@')) return source;
  try {
    return await readFile(source.slice(1), 'utf8');
  } catch (error) {
    return refuse(`--json: ${error instanceof Error ? error.message : String(error)}`);
  }
}

type Reader = (text: string, key: string) => unknown;

const parsed: Reader = (text) => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
};

const number: Reader = (text, key) =>
  text.trim() !== '' && Number.isFinite(Number(text))
    ? Number(text)
    : refuse(`${key}=${text}: the tool takes a number here`);

const READERS: Readonly<Record<string, Reader>> = {
  string: (text) => text,
  number,
  integer: number,
  boolean: (text, key) =>
    text === 'true' || text === 'false'
      ? text === 'true'
      : refuse(`${key}=${text}: the tool takes true or false here`),
};

const readerOf = (property: Fields): Reader => {
  const { type } = property;
  return typeof type === 'string' && Object.hasOwn(READERS, type)
    ? (READERS[type] ?? parsed)
    : parsed;
};

/** Reads `key=value` arguments: a value as the schema's type says, else as JSON where it is JSON, else as text. */
export function readPairs(pairs: readonly string[], schema: Fields): object {
  const properties = fieldsOf(schema['properties']);
  const entries = pairs.map((pair) => {
    const [key = '', ...rest] = pair.split('=');
    if (key === '' || rest.length === 0)
      return refuse(`${pair}: an argument of a tool is written key=value`);
    const property = Object.hasOwn(properties, key) ? fieldsOf(properties[key]) : {};
    return [key, readerOf(property)(rest.join('='), key)] as const;
  });
  const repeated = entries.find(([key], index) => entries.findIndex(([k]) => k === key) < index);
  if (repeated !== undefined) refuse(`${repeated[0]}: given more than once`);
  return Object.fromEntries(entries);
}
