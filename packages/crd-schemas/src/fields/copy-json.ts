import type { JsonValue } from '@gateway/go-template';
import {
  MAX_ISSUES,
  MAX_VALUE_DEPTH,
  MAX_VALUE_NODES,
  MAX_VALUE_UNITS,
} from '../resource/limits.ts';
import type { ValidationIssue } from '../resource/validation-issue.ts';
import { kindOf } from './kind-of.ts';

/** Returns the problem of a text inside a value, or undefined. */
export type TextCheck = (text: string) => string | undefined;

/** A frozen copy, and what is wrong with the original; the copy means nothing unless `problems` is empty. */
export interface JsonCopy {
  readonly value: JsonValue;
  /** Paths begin at the value. At most 20. */
  readonly problems: readonly ValidationIssue[];
}

interface Copying {
  readonly check: TextCheck;
  /** The path to the current value. */
  readonly path: (string | number)[];
  readonly problems: ValidationIssue[];
  nodes: number;
  units: number;
  /** The bound that the whole value exceeds; copying stops once it is set. */
  exceeded: string | undefined;
}

const isPlainObject = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
};

const addProblem = (copying: Copying, message: string): null => {
  if (copying.problems.length < MAX_ISSUES) {
    copying.problems.push({ path: [...copying.path], message });
  }
  return null;
};

const countUnits = (copying: Copying, text: string): void => {
  copying.units += text.length;
  if (copying.units > MAX_VALUE_UNITS) {
    copying.exceeded = `must have at most ${String(MAX_VALUE_UNITS)} characters in all its texts and keys`;
  }
};

const countNode = (copying: Copying): void => {
  copying.nodes += 1;
  if (copying.nodes > MAX_VALUE_NODES) {
    copying.exceeded = `must consist of at most ${String(MAX_VALUE_NODES)} values`;
  }
  if (copying.path.length > MAX_VALUE_DEPTH) {
    copying.exceeded = `must be nested at most ${String(MAX_VALUE_DEPTH)} levels deep`;
  }
};

const copyText = (text: string, copying: Copying): string | null => {
  countUnits(copying, text);
  if (copying.exceeded !== undefined) return null;
  const problem = copying.check(text);
  return problem === undefined ? text : addProblem(copying, problem);
};

const copyMember = (key: string | number, value: unknown, copying: Copying): JsonValue => {
  copying.path.push(key);
  const copy = copyAny(value, copying);
  copying.path.pop();
  return copy;
};

const copyList = (list: readonly unknown[], copying: Copying): JsonValue => {
  const copy: JsonValue[] = [];
  for (let index = 0; index < list.length && copying.exceeded === undefined; index += 1) {
    copy.push(copyMember(index, list[index], copying));
  }
  return Object.freeze(copy);
};

const copyMap = (map: object, copying: Copying): JsonValue => {
  const copy = Object.create(null) as Record<string, JsonValue>;
  for (const key of Object.keys(map)) {
    countUnits(copying, key);
    if (copying.exceeded !== undefined) break;
    copy[key] = copyMember(key, (map as Readonly<Record<string, unknown>>)[key], copying);
  }
  return Object.freeze(copy);
};

const copyObject = (value: object | null, copying: Copying): JsonValue => {
  if (value === null) return null;
  if (Array.isArray(value)) return copyList(value, copying);
  return isPlainObject(value)
    ? copyMap(value, copying)
    : addProblem(copying, 'must be a value of JSON');
};

const copyAny = (value: unknown, copying: Copying): JsonValue => {
  countNode(copying);
  if (copying.exceeded !== undefined) return null;
  if (typeof value === 'string') return copyText(value, copying);
  if (typeof value === 'boolean') return value;
  if (typeof value === 'object') return copyObject(value, copying);
  if (typeof value !== 'number') {
    return addProblem(copying, `must be a value of JSON, not ${kindOf(value)}`);
  }
  return Number.isFinite(value) ? value : addProblem(copying, 'must be a finite number');
};

/**
 * Copies a JSON value. Maps of the copy have no prototype, so `__proto__` is an ordinary key. A value that is too deep or too
 * large is one problem; so is one that contains itself.
 *
 * @param check asked about each text, keys left out
 */
export const copyJson = (input: unknown, check: TextCheck = () => undefined): JsonCopy => {
  const copying: Copying = {
    check,
    path: [],
    problems: [],
    nodes: 0,
    units: 0,
    exceeded: undefined,
  };
  const value = copyAny(input, copying);
  const { exceeded, problems } = copying;
  return { value, problems: exceeded === undefined ? problems : [{ path: [], message: exceeded }] };
};
