/** Characters of one template text. */
export const MAX_TEMPLATE_CHARS = 262_144;

/** The maximum nesting of blocks, of parentheses and of pipeline stages of a template, each counted separately. */
export const MAX_TEMPLATE_NESTING = 100;

/** Characters of one path. */
export const MAX_PATH_CHARS = 4096;

/** One step into a value: an own key of an object, or an index of a list. */
export type PathStep =
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'index'; readonly index: number };

/** One selector of a path: an own key of an object, an index of a list (from its end when negative), a slice, or all members. */
export type JsonPathSelector =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'index'; readonly index: number }
  | { readonly kind: 'slice'; readonly written: string }
  | { readonly kind: 'all' };

/** One segment of a path: at least one selector, of the children or of all descendants. RFC 9535 §1.4.3 */
export interface JsonPathSegment {
  readonly descends: boolean;
  readonly selectors: readonly JsonPathSelector[];
}

/** A path to a place in a result. @spec §2.7 `jsonPath` */
export type Path =
  /** `items[0].name`, `labels["a.b"]`. */
  | { readonly kind: 'steps'; readonly steps: readonly PathStep[]; readonly written: string }
  /** `$..name`: JSONPath proper, without filters and scripts. */
  | {
      readonly kind: 'json-path';
      readonly segments: readonly JsonPathSegment[];
      readonly written: string;
    };

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
  /** As written in the text, for messages. */
  readonly written: string;
  readonly at: number;
}

/** A function with its arguments. */
export interface FunctionCall {
  readonly kind: 'call';
  readonly name: string;
  readonly arguments: readonly Operand[];
  /** True when the last argument comes from the pipeline: it is evaluated first, independent of the function. */
  readonly piped: boolean;
  /** The slot of the variable whose map the function updates; absent for any other function or first argument. */
  readonly updates?: number;
  /** The name with its arguments as written in the text, for messages. */
  readonly written: string;
  readonly at: number;
}

/** The value that an action computes, and the variables that it assigns. */
export interface Pipeline {
  readonly value: Operand;
  /** The slots of the assigned variables; the pipeline of a `range` may have two. */
  readonly targets: readonly number[];
  readonly at: number;
}

/** A condition with what it guards. */
export interface Branch {
  readonly pipeline: Pipeline;
  readonly body: readonly TemplateNode[];
}

/** A node of a template. @spec §2.7 */
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

/** The nodes of a kind. */
export type NodeByKind<Kind extends TemplateNode['kind']> = Extract<TemplateNode, { kind: Kind }>;

/** A parsed text: data only, nothing in it can be executed. Not frozen, because evaluating frozen objects is slower. */
export interface Template {
  readonly text: string;
  readonly nodes: readonly TemplateNode[];
  /** The pipeline of a template that is one printing action and nothing else: its value keeps its type. */
  readonly single?: Pipeline;
  /** The templates that `define` and `block` declare, by name. */
  readonly definitions: ReadonlyMap<string, readonly TemplateNode[]>;
}

/** The position of a syntax error, line and column counted from 1, and its message. */
export interface TemplateError {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** Returns the error as one line: `line 1, column 4: ...`. */
export const formatError = ({ line, column, message }: TemplateError): string =>
  `line ${line}, column ${column}: ${message}`;

/** A value, or the error that says why there is none: the shape of `Result` of `toolset-grammar`, without the import. */
export type Outcome<T, E> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: E };

/** The parsed template, or its first problem. */
export type ParsedTemplate = Outcome<Template, TemplateError>;

/** The template of a text, `undefined` when the text is not one, or the first problem of the text. */
export type ParsedText = Outcome<Template | undefined, TemplateError>;

const MAX_SHOWN_CHARS = 200;

/** Cuts a text of a user to a length that fits a message. */
export const shortenText = (text: string): string =>
  text.length > MAX_SHOWN_CHARS ? `${text.slice(0, MAX_SHOWN_CHARS)}...` : text;
