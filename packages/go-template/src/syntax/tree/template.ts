import type { PathStep } from './path.ts';

/** A value inside an action. `at` counts characters from the start of the text. */
export type Operand =
  | { readonly kind: 'literal'; readonly value: null | boolean | number | string }
  | { readonly kind: 'dot' }
  /** `slot` is the variable's place on the stack of its template; 0 is `$`. */
  | { readonly kind: 'variable'; readonly slot: number }
  | Chain
  | FunctionCall;

/** `.a.b[0]`, `$x.a`, `(index .a 0).b`. */
export interface Chain {
  readonly kind: 'chain';
  readonly root: Operand;
  readonly steps: readonly PathStep[];
  /** As it stands in the text, for messages. */
  readonly written: string;
  readonly at: number;
}

/** A function with its arguments. */
export interface FunctionCall {
  readonly kind: 'call';
  readonly name: string;
  readonly arguments: readonly Operand[];
  /** Whether the last argument comes from the pipeline: it is evaluated first, whatever the function does. */
  readonly piped: boolean;
  /** The slot of the variable whose map the function changes; absent for any other function or first argument. */
  readonly updates?: number;
  /** The name with the arguments beside it, as they stand in the text, for messages. */
  readonly written: string;
  readonly at: number;
}

/** What an action computes, and where it keeps it. */
export interface Pipeline {
  readonly value: Operand;
  /** The slots that the value goes to; the stages of a `range` may name two. */
  readonly targets: readonly number[];
  readonly at: number;
}

/** A condition with what it guards. */
export interface Branch {
  readonly pipeline: Pipeline;
  readonly body: readonly TemplateNode[];
}

/** One piece of a template. @spec §2.7 */
export type TemplateNode =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'action'; readonly pipeline: Pipeline }
  | {
      readonly kind: 'if' | 'with';
      readonly branches: readonly Branch[];
      readonly otherwise: readonly TemplateNode[];
    }
  | {
      readonly kind: 'range';
      readonly pipeline: Pipeline;
      readonly body: readonly TemplateNode[];
      readonly otherwise: readonly TemplateNode[];
    }
  | { readonly kind: 'break' }
  | { readonly kind: 'continue' }
  | {
      readonly kind: 'template';
      readonly name: string;
      readonly pipeline?: Pipeline;
      readonly at: number;
    };

/** A parsed text: data only, nothing in it can be executed. Deeply frozen. */
export interface Template {
  readonly text: string;
  readonly nodes: readonly TemplateNode[];
  /** The pipeline of a template that is one printing action and nothing else: its value keeps its type. */
  readonly single?: Pipeline;
  /** What `define` and `block` gave names to. */
  readonly definitions: ReadonlyMap<string, readonly TemplateNode[]>;
}

/** Where a text stops being a template, both counted from 1, and why. */
export interface TemplateProblem {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** The template of a text, absent when the text is not one, or the first problem of the text. */
export type ParsedText =
  { readonly ok: true; readonly template?: Template } | ({ readonly ok: false } & TemplateProblem);

/** The parsed template, or its first problem. */
export type ParsedTemplate =
  { readonly ok: true; readonly template: Template } | ({ readonly ok: false } & TemplateProblem);
