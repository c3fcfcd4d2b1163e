import type { Requirements } from '@gateway/repo-checks';

/** What this package owes to the spec. */
export const requirements = {
  '1.1/meta-tools': 'The gateway exposes a fixed set of 13 meta-tools.',
  '1.1/catalog-per-caller': 'The meta-tools work with the catalog of the caller.',
  '1.2/composition':
    'A toolset is composition: what it leaves out is refused, never silently done.',
  '1.2/third-filter':
    'The toolset narrows what the caller sees on every request and adds nothing to it.',
  '4.2/list-tools': 'list_tools reads the filtered catalog.',
  '4.2/filter-tools': 'filter_tools reads the filtered catalog.',
  '4.2/describe-tool': 'describe_tool reads the filtered catalog.',
  '4.2/describe-tool-outside':
    'describe_tool of a tool that the toolset excludes answers tool "<name>" is outside the toolset [<selectors>].',
  '4.2/describe-tool-unknown': 'describe_tool of an unknown name still answers Tool not found.',
  '4.2/list-core-tools': 'list_core_tools reads the filtered catalog.',
  '4.2/call-tool-outside':
    'call_tool of a name outside the toolset is refused with tool "<name>" is outside the toolset [<selectors>].',
  '4.2/call-tool-workflow': 'call_tool refuses workflow_<name> outside the toolset alike.',
  '4.2/call-tool-logged':
    'A refused call_tool is reported once with the tool, the toolset and the session.',
  '4.2/workflow-steps-not-rechecked':
    'Tools that the steps of a workflow call internally are not re-checked.',
  '4.2/hidden-resources': 'Resources of servers outside the toolset are hidden.',
  '4.2/hidden-prompts': 'Prompts of servers outside the toolset are hidden.',
  '4.2/server-inside': 'A server is inside the toolset when at least one of its tools is selected.',
  '4.2/get-resource-outside':
    'get_resource outside the toolset is refused with resource "<uri>" is outside the toolset [...].',
  '4.2/get-prompt-outside':
    'get_prompt outside the toolset is refused with prompt "<name>" is outside the toolset [...].',
  '4.2/servers-requiring-auth': 'servers_requiring_auth is not narrowed by the toolset.',
  '4.2/tools-list-unchanged': 'tools/list is unchanged by the toolset.',
  '4.2/native-lists':
    "Where the servers' own tools, resources and prompts are listed, the toolset hides what is outside.",
  '4.2/native-calls':
    "Where the servers' own tools, resources and prompts are called, the toolset refuses what is outside.",
  '4.3/toolset-argument': 'filter_tools resolves the inline selectors of its toolset argument.',
  '4.3/within-header':
    "With the header, the toolset argument resolves within the header's toolset and never widens it.",
  '4.3/argument-errors': "Errors of the toolset argument use the header's texts.",
  '4.3/include-presets': 'include_presets returns the known presets with their descriptions.',
  '4.3/toolset-echo': 'toolset echoes the selectors as given when the argument was set.',
  '4.3/toolset-unmatched':
    'toolset_unmatched lists the selectors that selected nothing for the caller.',
  '4.3/none-never-unmatched': 'preset:none is never reported as unmatched.',
  '4.3/presets':
    'presets lists {name, description, built_in}, built-ins first, when include_presets or toolset was given.',
  '5.2/servers-requiring-auth': 'list_tools reports servers_requiring_auth.',
  '5.2/auth-login': 'core_auth_login is the core tool to sign in with.',
  '7.1/error-results':
    'Inline toolset errors are error results on every meta-tool call, get_resource and get_prompt included.',
  '7.1/no-silent-fallback':
    'A refused toolset never falls back to the unscoped catalog nor to the selectors that did parse.',
  '7.2/outside':
    'describe_tool, call_tool, get_resource and get_prompt refuse names outside the toolset with ... is outside the toolset [...].',
  '7.2/unknown-tool': 'An unknown tool name answers Tool not found.',
  '8/inline-selectors-filter-tools': 'At most 32 inline selectors in the toolset of filter_tools.',
  '9.2/toolset-per-request': 'Gateway 5.11.0 brings X-Gateway-Toolset per request.',
  '9.2/filter-arguments': 'Gateway 5.11.0 brings toolset and include_presets of filter_tools.',
  '9.2/tool-entry-fields': 'Gateway 5.11.0 brings server, kind and annotations on tool entries.',
} as const satisfies Requirements;
