import { isJsonObject } from './json-rpc.ts';

type Json = Readonly<Record<string, unknown>>;

/** What a client may declare that a server can ask for, each a bit: the whole of it fits one byte of a session's id. */
const FEATURES: readonly (readonly [capability: string, part?: string])[] = [
  ['sampling'],
  ['sampling', 'tools'],
  ['sampling', 'context'],
  ['elicitation'],
  ['elicitation', 'form'],
  ['elicitation', 'url'],
  ['roots'],
  ['roots', 'listChanged'],
];

const member = (value: unknown, key: string): unknown =>
  isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;

const isDeclared = (value: unknown): boolean => value === true || isJsonObject(value);

/** The askable part of a client's capabilities as bits; what is unknown or malformed counts as not declared. */
export const clientFeatures = (capabilities: unknown): number =>
  FEATURES.reduce((bits, [capability, part], at) => {
    const whole = member(capabilities, capability);
    if (!isJsonObject(whole)) return bits;
    return part === undefined || isDeclared(member(whole, part)) ? bits | (1 << at) : bits;
  }, 0);

const known = new Map<number, Json>();

/** The capabilities that the bits stand for: `sampling`, `elicitation` and `roots`, as far as declared. */
export const clientCapabilities = (features: number): Json => {
  const found = known.get(features);
  if (found !== undefined) return found;
  const capabilities: Record<string, Record<string, unknown>> = {};
  for (const [at, [capability, part]] of FEATURES.entries()) {
    if ((features & (1 << at)) === 0) continue;
    const whole = (capabilities[capability] ??= {});
    if (part !== undefined) whole[part] = part === 'listChanged' ? true : {};
  }
  known.set(features, capabilities);
  return capabilities;
};

/** The capability that a question to a client needs; `undefined` for a method that no client can be asked. */
const CAPABILITY_OF: ReadonlyMap<string, string> = new Map([
  ['sampling/createMessage', 'sampling'],
  ['elicitation/create', 'elicitation'],
  ['roots/list', 'roots'],
]);

/** Why a client with these capabilities cannot be asked this; `undefined` lets the question pass. */
export const refuseQuestion = (capabilities: Json, method: string): string | undefined => {
  const capability = CAPABILITY_OF.get(method);
  if (capability === undefined)
    return `A client cannot be asked: ${JSON.stringify(method.slice(0, 200))}`;
  return Object.hasOwn(capabilities, capability)
    ? undefined
    : `The client has not declared the capability "${capability}"`;
};
