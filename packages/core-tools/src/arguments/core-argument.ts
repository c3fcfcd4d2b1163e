import type { JsonObject } from '@gateway/call-contract';

/** The properties of an argument of any kind. */
interface ArgumentBase {
  readonly required: boolean;
  readonly description: string;
  /** An older spelling that is accepted and not shown. */
  readonly alias?: string;
  /** `null` and blank texts are values, instead of counting as absent. */
  readonly nullable?: true;
  /** Texts that replace the default ones. `null` and blank texts count as absent unless there is a text for them. */
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
  /** The allowed values; a blank text is not one of them. */
  readonly enum?: readonly string[];
  /** Maximum length in UTF-16 units; 1,024 when absent, which exceeds every name. */
  readonly maxUnits?: number;
  /** The JSON Schema besides type and description. */
  readonly schema?: JsonObject;
}

/** A flag. */
export interface FlagArgument extends ArgumentBase {
  readonly type: 'boolean';
  /** Shown in the schema; the tool applies it. */
  readonly default?: boolean;
}

/** An integer within bounds. */
export interface IntegerArgument extends ArgumentBase {
  readonly type: 'integer';
  readonly minimum: number;
  readonly maximum?: number;
  /** Shown in the schema; the tool applies it. */
  readonly default?: number;
}

/** A list that the tool parses; only its kind is checked with the arguments. */
export interface ArrayArgument extends ArgumentBase {
  readonly type: 'array';
  /** The JSON Schema besides type and description. */
  readonly schema: JsonObject;
}

/** An object that the tool parses; only its kind is checked with the arguments. */
export interface ObjectArgument extends ArgumentBase {
  readonly type: 'object';
  /** The JSON Schema besides type and description. */
  readonly schema: JsonObject;
}

/** One argument of a core tool. */
export type CoreArgument =
  TextArgument | FlagArgument | IntegerArgument | ArrayArgument | ObjectArgument;

/** The arguments of a core tool by name. Any other argument is refused. */
export type CoreArguments = Readonly<Record<string, CoreArgument>>;
