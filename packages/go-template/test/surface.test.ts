import { expect, it } from 'vitest';
import * as surface from '../src/index.ts';

it('exports exactly these names', () => {
  expect(Object.keys(surface).sort()).toEqual([
    'MAX_PATH_CHARS',
    'MAX_TEMPLATE_CHARS',
    'MAX_TEMPLATE_NESTING',
    'TEMPLATE_FUNCTIONS',
    'countStepsTaken',
    'createAllowanceWithin',
    'createFullAllowance',
    'createInlineAllowance',
    'estimateMemoryBytes',
    'findFunctionArity',
    'findPlace',
    'formatError',
    'isJsonList',
    'isJsonMap',
    'isSpent',
    'isTemplate',
    'isTemplateFunctionName',
    'listDataReferences',
    'listMemberTemplates',
    'parsePath',
    'parseTemplate',
    'parseText',
    'parseValue',
    'renderValue',
    'shortenText',
    'toValueTemplate',
    'walkPath',
  ]);
});
