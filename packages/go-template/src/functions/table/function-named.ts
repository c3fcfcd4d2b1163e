import { isTemplateFunctionName } from '../../syntax/arities/template-functions.ts';
import { FUNCTION_TABLE } from './function-table.ts';
import { FunctionFailure, type TemplateFunction } from '../../values/template-value.ts';

const NONE: TemplateFunction = () => new FunctionFailure('no such function');

/** Returns the function of a call. The parser accepts known names only. */
export const findFunction = (name: string): TemplateFunction =>
  isTemplateFunctionName(name) ? FUNCTION_TABLE[name].call : NONE;
