import type { JsonObject } from '@gateway/call-contract';

/** What an argument of any kind says of itself. */
interface ArgumentBase {
  readonly required: boolean;
  readonly description: string;
  /** An older spelling that is taken as well, and not shown. */
  readonly alias?: string;
  /** Whether `null` and blank texts are values of their own, rather than passing for absent. */
  readonly nullable?: true;
  /** Texts in the place of the usual ones. `null` and blank texts pass for absent unless there is a text for them. */
  readonly refusals?: {
    readonly missing?: string;
    readonly wrongType?: string;
    readonly isNull?: string;
    readonly isBlank?: string;
  };
}

/** A text argument. */
export interface TextArgument extends ArgumentBase {
  readonly type: 'string';
  /** The only values that it may have; blank is none of them. */
  readonly enum?: readonly string[];
  /** 1,024 UTF-16 units when absent: no name that a tool takes is longer. */
  readonly maxUnits?: number;
  /** What its JSON Schema says beside type and description. */
  readonly schema?: JsonObject;
}

/** A flag. */
export interface FlagArgument extends ArgumentBase {
  readonly type: 'boolean';
  /** Shown; whoever reads the argument takes it. */
  readonly default?: boolean;
}

/** A whole number within bounds. */
export interface IntegerArgument extends ArgumentBase {
  readonly type: 'integer';
  readonly minimum: number;
  readonly maximum?: number;
  /** Shown; whoever reads the argument takes it. */
  readonly default?: number;
}

/** A list that somebody else parses: only its kind is checked with the arguments. */
export interface ArrayArgument extends ArgumentBase {
  readonly type: 'array';
  /** What its JSON Schema says beside type and description. */
  readonly schema: JsonObject;
}

/** An object that somebody else parses: only its kind is checked with the arguments. */
export interface ObjectArgument extends ArgumentBase {
  readonly type: 'object';
  /** What its JSON Schema says beside type and description. */
  readonly schema: JsonObject;
}

/** One argument of a core tool. */
export type CoreArgument =
  TextArgument | FlagArgument | IntegerArgument | ArrayArgument | ObjectArgument;

/** The arguments of a core tool by name. Any other is refused. */
export type CoreArguments = Readonly<Record<string, CoreArgument>>;
