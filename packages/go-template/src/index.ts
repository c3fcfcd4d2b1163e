export {
  parseTemplate,
  isTemplate,
  parseText,
  placeOf,
  templateProblem,
} from './syntax/parsing/parse-template.ts';
export type {
  Branch,
  Chain,
  FunctionCall,
  Operand,
  ParsedTemplate,
  ParsedText,
  Pipeline,
  Template,
  TemplateNode,
  TemplateProblem,
} from './syntax/tree/template.ts';
export type { JsonPathSegment, JsonPathSelector, Path, PathStep } from './syntax/tree/path.ts';
export {
  MAX_PATH_CHARS,
  MAX_TEMPLATE_CHARS,
  MAX_TEMPLATE_NESTING,
} from './syntax/tree/template-limits.ts';
export { parsePath, pathProblem, type ParsedPath } from './syntax/paths/parse-path.ts';
export type { FunctionArity } from './syntax/arities/function-arity.ts';
export {
  isTemplateFunctionName,
  TEMPLATE_FUNCTIONS,
  templateFunctionArity,
  type TemplateFunctionName,
} from './syntax/arities/template-functions.ts';
export type { JsonMap, JsonValue } from './values/json-value.ts';
export { isJsonList, isJsonMap } from './values/json-kinds.ts';
export { memoryBytes } from './values/memory-bytes.ts';
export { walkPath } from './navigation/walk-path.ts';
export { shortenText } from './navigation/shorten-text.ts';
export {
  allowanceWithin,
  fullAllowance,
  inlineAllowance,
  isSpent,
  stepsTaken,
  type RenderAllowance,
  type RenderOptions,
} from './rendering/render-options.ts';
export { dataReferences, type DataReferences } from './value-templates/data-references.ts';
export { parseValue, type ParsedValue } from './value-templates/parse-value.ts';
export {
  memberTemplates,
  valueTemplateOf,
  type ValueTemplate,
} from './value-templates/value-template.ts';
export { renderValue } from './rendering/render-value.ts';
export type { Rendered } from './rendering/render-text.ts';
