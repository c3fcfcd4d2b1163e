import type { Chain, FunctionCall, Operand } from '../syntax/tree/template.ts';
import { isMap } from '../values/template-map.ts';
import { findFunction } from '../functions/table/function-named.ts';
import { isTrue } from '../values/is-true.ts';
import { RenderFailure } from './render-failure.ts';
import { shortenText } from '../navigation/shorten-text.ts';
import { step, type Rendering, type Slots } from './rendering.ts';
import { FunctionFailure, type TemplateValue } from '../values/template-value.ts';
import { walkSteps } from '../navigation/walk-path.ts';

/** The environment in which operands are evaluated. */
export interface Scope {
  readonly rendering: Rendering;
  readonly slots: Slots;
  readonly dot: TemplateValue;
}

type Evaluated = TemplateValue | RenderFailure;

/** Inside `range` and `with` the dot is another value; the hint names the reference from the root. */
const rootHint = ({ root, steps }: Chain, { slots, dot }: Scope): string => {
  const [first] = steps;
  const data = slots[0] ?? null;
  if (root.kind !== 'dot' || dot === data || first?.kind !== 'key' || !isMap(data)) return '';
  return Object.hasOwn(data, first.key) ? `; from inside range and with it is $.${first.key}` : '';
};

const evaluateChain = (chain: Chain, scope: Scope): Evaluated => {
  const spent = step(scope.rendering, chain.at, chain.steps.length);
  if (spent !== undefined) return spent;
  const root = evaluate(chain.root, scope);
  if (root instanceof RenderFailure) return root;
  const walked = walkSteps(root, chain.steps, chain.written);
  if (walked.ok) return walked.value;
  return new RenderFailure(`${walked.text}${rootHint(chain, scope)}`, chain.at);
};

/** Stops at the first argument that decides; a piped one was evaluated before. */
const evaluateUntil = (call: FunctionCall, decides: boolean, scope: Scope): Evaluated => {
  const operands = call.piped ? call.arguments.slice(0, -1) : call.arguments;
  const last = call.piped ? call.arguments.at(-1) : undefined;
  const piped = last === undefined ? undefined : evaluate(last, scope);
  if (piped instanceof RenderFailure) return piped;
  let value: TemplateValue = null;
  for (const operand of operands) {
    const next = evaluate(operand, scope);
    if (next instanceof RenderFailure) return next;
    value = next;
    if (isTrue(value) === decides) return value;
  }
  return piped === undefined ? value : piped;
};

const evaluateCall = (call: FunctionCall, scope: Scope): Evaluated => {
  const args: TemplateValue[] = [];
  for (const operand of call.arguments) {
    const value = evaluate(operand, scope);
    if (value instanceof RenderFailure) return value;
    args.push(value);
  }
  // Another argument may have updated the variable after it was read.
  if (call.updates !== undefined) args[0] = scope.slots[call.updates] ?? null;
  const answer = findFunction(call.name)(args, scope.rendering);
  if (!(answer instanceof FunctionFailure)) {
    if (call.updates !== undefined) scope.slots[call.updates] = answer;
    return answer;
  }
  // A call of `index` is a reference: the message shows it whole.
  const who = call.name === 'index' ? shortenText(call.written) : call.name;
  return new RenderFailure(`${who}: ${answer.text}`, call.at);
};

const evaluateFunction = (call: FunctionCall, scope: Scope): Evaluated => {
  const spent = step(scope.rendering, call.at, call.arguments.length);
  if (spent !== undefined) return spent;
  if (call.name === 'and') return evaluateUntil(call, false, scope);
  if (call.name === 'or') return evaluateUntil(call, true, scope);
  return evaluateCall(call, scope);
};

/** Returns the value of an operand. */
export function evaluate(operand: Operand, scope: Scope): Evaluated {
  switch (operand.kind) {
    case 'literal':
      return operand.value;
    case 'dot':
      return scope.dot;
    case 'variable':
      return scope.slots[operand.slot] ?? null;
    case 'chain':
      return evaluateChain(operand, scope);
    case 'call':
      return evaluateFunction(operand, scope);
  }
}
