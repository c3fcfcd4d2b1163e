import { setImmediate } from 'node:timers/promises';
import { deserialize, serialize } from 'node:v8';
import type { JsonMap, JsonValue } from '@gateway/crd-schemas';

type Container = JsonValue[] | Record<string, JsonValue>;

/** Members of the innermost open container, the beginning of a container inside it, or its end. */
type Part =
  | { readonly kind: 'members'; readonly members: Container }
  | { readonly kind: 'begin'; readonly key: string; readonly isList: boolean }
  | { readonly kind: 'end' };

/** Values in a part: serializing and restoring them takes about a millisecond each. */
const MAX_WEIGHT = 4096;
/** Characters that count as a value. */
const CHARS_PER_VALUE = 256;
/** Maximum duration of work without a pause, in milliseconds. */
const SLICE_MS = 5;

/** Splits a value into serialized parts, one per step. The value must not change meanwhile. */
export function* splitValue(value: JsonValue): Generator<void, Uint8Array[]> {
  const parts: Uint8Array[] = [];
  for (const part of splitMembers([value])) {
    parts.push(serialize(part));
    yield;
  }
  return parts;
}

/** Restores a value from the parts of {@link splitValue}, one per step. */
export function* joinParts(parts: Iterable<Uint8Array>): Generator<void, JsonValue> {
  const root: JsonValue[] = [];
  const open: Container[] = [root];
  for (const bytes of parts) {
    const part = deserialize(bytes) as Part;
    const innermost = open.at(-1) ?? root;
    if (part.kind === 'end') open.pop();
    else if (part.kind === 'begin') {
      const container = part.isList ? [] : {};
      addMember(innermost, part.key, container);
      open.push(container);
    } else {
      const { members } = part;
      for (const key of listKeys(members)) addMember(innermost, key, readMember(members, key));
    }
    yield;
  }
  return root[0] ?? null;
}

/** Returns the result of all steps at once. */
export function finish<Result>(steps: Generator<void, Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Returns the result of all steps, with pauses for other work. */
export async function finishPaced<Result>(steps: Generator<void, Result>): Promise<Result> {
  for (let since = performance.now(); ;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (performance.now() - since < SLICE_MS) continue;
    await setImmediate();
    since = performance.now();
  }
}

function* splitMembers(container: readonly JsonValue[] | JsonMap): Generator<Part, void> {
  const isList = Array.isArray(container);
  let members: Container = isList ? [] : {};
  let weight = 0;
  for (const key of listKeys(container)) {
    const member = readMember(container, key);
    const added = measureWeight(member);
    const isSplit = added > MAX_WEIGHT && typeof member === 'object' && member !== null;
    if (!isSplit) addMember(members, key, member);
    weight += added;
    if (weight <= MAX_WEIGHT) continue;
    yield { kind: 'members', members };
    members = isList ? [] : {};
    weight = 0;
    if (!isSplit) continue;
    yield { kind: 'begin', key: String(key), isList: Array.isArray(member) };
    yield* splitMembers(member);
    yield { kind: 'end' };
  }
  yield { kind: 'members', members };
}

/** Returns the number of values in a value, or more than the maximum where there are more. */
function measureWeight(value: JsonValue): number {
  const waiting = [value];
  let weight = 0;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    weight += 1;
    if (typeof next === 'string') weight += next.length / CHARS_PER_VALUE;
    else if (typeof next === 'object' && next !== null)
      for (const key of listKeys(next)) {
        waiting.push(readMember(next, key));
        if (weight + waiting.length > MAX_WEIGHT) return MAX_WEIGHT + 1;
      }
  }
  return weight;
}

const listKeys = (container: readonly JsonValue[] | JsonMap): Iterable<number | string> =>
  Array.isArray(container) ? container.keys() : Object.keys(container);

const readMember = (container: readonly JsonValue[] | JsonMap, key: number | string): JsonValue =>
  (container as JsonMap)[key] ?? null;

/** Adds a member. A key from outside may be `__proto__`. */
function addMember(container: Container, key: number | string, value: JsonValue): void {
  if (Array.isArray(container)) container.push(value);
  else if (key !== '__proto__') container[key] = value;
  else
    Object.defineProperty(container, key, {
      value,
      configurable: true,
      enumerable: true,
      writable: true,
    });
}
