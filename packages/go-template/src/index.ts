export { isTemplate, parseTemplate, parseText, findPlace } from './syntax/parse-template.ts';
export {
  type Branch,
  type Chain,
  formatError,
  type FunctionCall,
  type JsonPathSegment,
  type JsonPathSelector,
  MAX_PATH_CHARS,
  MAX_TEMPLATE_CHARS,
  MAX_TEMPLATE_NESTING,
  type Operand,
  type ParsedTemplate,
  type ParsedText,
  type Path,
  type PathStep,
  type Pipeline,
  shortenText,
  type Template,
  type TemplateNode,
  type TemplateError,
} from './syntax/template.ts';
export { type ParsedPath, parsePath } from './syntax/parse-path.ts';
export {
  type FunctionArity,
  isTemplateFunctionName,
  TEMPLATE_FUNCTIONS,
  findFunctionArity,
  type TemplateFunctionName,
} from './syntax/function-arities.ts';
export {
  isJsonList,
  isJsonMap,
  type JsonMap,
  type JsonValue,
  estimateMemoryBytes,
} from './values/json-value.ts';
export { walkPath } from './values/walk-path.ts';
export {
  createAllowanceWithin,
  createFullAllowance,
  createInlineAllowance,
  isSpent,
  type RenderAllowance,
  type RenderOptions,
  countStepsTaken,
} from './rendering/rendering.ts';
export {
  listDataReferences,
  type DataReferences,
  listMemberTemplates,
  type ParsedValue,
  parseValue,
  type ValueTemplate,
  toValueTemplate,
} from './value-templates/value-template.ts';
export { type Rendered, renderValue } from './rendering/render-value.ts';
export type { Spend } from './values/template-value.ts';
