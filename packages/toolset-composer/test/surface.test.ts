import { expect, it } from 'vitest';
import * as surface from '../src/index.ts';

it('exports exactly this', () => {
  expect(Object.keys(surface).sort()).toEqual([
    ...['CARD_TEXTS', 'COMPARISON_VIEWS', 'CORE_GROUP_LABEL', 'EMPTY_COMPOSITION', 'EXPLAIN_KEY'],
    ...['FULL_ACCESS', 'MAX_INLINE_SELECTORS', 'NO_TOOLS', 'TOOLS_HEADING', 'TOOL_GROUPS'],
    ...['TOOL_HINTS', 'TOOL_KINDS', 'UNMATCHED_TEXT', 'addText', 'choose', 'compareToolsets'],
    ...['createAgentDraft', 'createCatalogSections', 'createToolsetCard', 'filterTools'],
    ...['findToolGroup', 'formatError', 'formatReleaseFile', 'formatResolution'],
    ...['formatResolvesTo', 'formatRule', 'formatStepLabel', 'fromToolset', 'isChosen', 'isEmpty'],
    ...['listSelectorProblems', 'listServers', 'listServersToSignIn', 'listUnknownPresets'],
    ...['listWizardSteps', 'needsSignIn', 'parsePresetCards', 'parseResolution', 'parseServers'],
    ...['parseServersRequiringAuth', 'parseToolEffects', 'readDeclaredAccess', 'readExplanation'],
    ...['readTools', 'remove', 'resolveToolReason', 'searchSections', 'toDeclaredAccess'],
    ...['toDeclaredToolset', 'toPresetSelector', 'toServerSelector', 'toToolHint'],
    ...['toToolSelector', 'toggle', 'validateSelector', 'validateSize'],
  ]);
});
