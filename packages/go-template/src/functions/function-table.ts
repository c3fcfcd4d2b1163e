import { isTemplateFunctionName, type TemplateFunctionName } from '../syntax/function-arities.ts';
import { GO_FUNCTIONS } from './go-functions.ts';
import { choiceFunctions, conversionFunctions } from './value-functions.ts';
import { dateFunctions } from './date-functions.ts';
import { dictFunctions } from './dict-functions.ts';
import { encodingFunctions } from './encoding-functions.ts';
import type { FunctionEntry } from './definition.ts';
import { jsonFunctions } from './json-functions.ts';
import { listFunctions } from './list-functions.ts';
import { floatFunctions } from './float-functions.ts';
import { rangeFunctions, integerFunctions } from './integer-functions.ts';
import { pathFunctions } from './path-functions.ts';
import { regexFunctions } from './regex-functions.ts';
import { caseFunctions } from './case-functions.ts';
import { layoutFunctions } from './layout-functions.ts';
import { searchFunctions } from './search-functions.ts';
import { textListFunctions } from './text-list-functions.ts';
import { versionFunctions } from './version-functions.ts';
import { FunctionFailure, type TemplateFunction } from '../values/template-value.ts';

/**
 * Every template function by name: the built-in functions of Go's text/template, and the supported functions of Sprig.
 * The type of the table requires exactly the names that the parser accepts.
 *
 * @spec §2.7
 */
export const FUNCTION_TABLE = {
  ...GO_FUNCTIONS,
  ...choiceFunctions,
  ...layoutFunctions,
  ...searchFunctions,
  ...caseFunctions,
  ...textListFunctions,
  ...regexFunctions,
  ...integerFunctions,
  ...floatFunctions,
  ...rangeFunctions,
  ...listFunctions,
  ...dictFunctions,
  ...conversionFunctions,
  ...jsonFunctions,
  ...dateFunctions,
  ...encodingFunctions,
  ...versionFunctions,
  ...pathFunctions,
} satisfies Record<TemplateFunctionName, FunctionEntry>;

const failUnknownFunction: TemplateFunction = () => new FunctionFailure('no such function');

/** Returns the template function with this name. The parser accepts known names only. */
export const findFunction = (name: string): TemplateFunction =>
  isTemplateFunctionName(name) ? FUNCTION_TABLE[name].call : failUnknownFunction;
