import { isTemplateFunctionName } from '@gateway/crd-schemas';
import { FUNCTION_TABLE } from '../functions/function-table.ts';
import { FunctionFailure, type TemplateFunction } from './template-value.ts';

const NONE: TemplateFunction = () => new FunctionFailure('no such function');

/** The function of a call. The parser lets known names through only. */
export const functionNamed = (name: string): TemplateFunction =>
  isTemplateFunctionName(name) ? FUNCTION_TABLE[name].call : NONE;
