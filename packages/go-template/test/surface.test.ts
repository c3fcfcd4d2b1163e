import { expect, it } from 'vitest';
import * as surface from '../src/index.ts';

it('exports exactly these names', () => {
  expect(Object.keys(surface).sort()).toEqual([
    'MAX_PATH_CHARS',
    'MAX_TEMPLATE_CHARS',
    'MAX_TEMPLATE_NESTING',
    'TEMPLATE_FUNCTIONS',
    'allowanceWithin',
    'dataReferences',
    'formatError',
    'fullAllowance',
    'inlineAllowance',
    'isJsonList',
    'isJsonMap',
    'isSpent',
    'isTemplate',
    'isTemplateFunctionName',
    'memberTemplates',
    'memoryBytes',
    'parsePath',
    'parseTemplate',
    'parseText',
    'parseValue',
    'placeOf',
    'renderValue',
    'shortenText',
    'stepsTaken',
    'templateFunctionArity',
    'valueTemplateOf',
    'walkPath',
  ]);
});
