import { readFile } from 'node:fs/promises';
import type { CliIo } from '../cli-io.ts';
import { CommandFailure } from '../failure.ts';
import { fieldsOf, type Fields } from '../output/json-fields.ts';

const refuse = (text: string): never => {
  throw new CommandFailure('refused', text);
};

/** Returns the object of `--json`: JSON text, `@file`, or `-` for standard input. */
export async function readJsonArgument(source: string, io: CliIo): Promise<object> {
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

type ValueParser = (text: string, key: string) => unknown;

const parseJsonOrText: ValueParser = (text) => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
};

const parseNumber: ValueParser = (text, key) =>
  text.trim() !== '' && Number.isFinite(Number(text))
    ? Number(text)
    : refuse(`${key}=${text}: the tool requires a number here`);

const PARSERS: Readonly<Record<string, ValueParser>> = {
  string: (text) => text,
  number: parseNumber,
  integer: parseNumber,
  boolean: (text, key) =>
    text === 'true' || text === 'false'
      ? text === 'true'
      : refuse(`${key}=${text}: the tool requires true or false here`),
};

const parserOf = (property: Fields): ValueParser => {
  const { type } = property;
  return typeof type === 'string' && Object.hasOwn(PARSERS, type)
    ? (PARSERS[type] ?? parseJsonOrText)
    : parseJsonOrText;
};

/** Parses `key=value` arguments. A value is parsed by the type in the schema. Without a type it is JSON, or text if it is not valid JSON. */
export function parsePairs(pairs: readonly string[], schema: Fields): object {
  const properties = fieldsOf(schema['properties']);
  const entries = pairs.map((pair) => {
    const [key = '', ...rest] = pair.split('=');
    if (key === '' || rest.length === 0)
      return refuse(`${pair}: an argument of a tool has the form key=value`);
    const property = Object.hasOwn(properties, key) ? fieldsOf(properties[key]) : {};
    return [key, parserOf(property)(rest.join('='), key)] as const;
  });
  const repeated = entries.find(([key], index) => entries.findIndex(([k]) => k === key) < index);
  if (repeated !== undefined) refuse(`${repeated[0]}: given more than once`);
  return Object.fromEntries(entries);
}
