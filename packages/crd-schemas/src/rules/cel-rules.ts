import { REFUSED_ELSEWHERE } from '../documents/field-lists.ts';

/** The kinds of resources that have rules. @spec §1.5 */
export type ResourceKind = 'MCPServer' | 'Workflow';

/** The reason that Kubernetes reports for a broken rule; `FieldValueInvalid` by default. */
export type RuleReason =
  'FieldValueInvalid' | 'FieldValueForbidden' | 'FieldValueRequired' | 'FieldValueDuplicate';

/** The step of a path from a list to its items. */
export const ITEMS = '[]';

/**
 * A requirement between fields of one value, as an entry of `x-kubernetes-validations`.
 *
 * @spec §7.6
 */
export interface CelRule {
  /** The name of the rule; the same at each place to which it applies. */
  readonly id: string;
  /** The field names from the root of the document to the value of the rule; `[]` is each item of a list. */
  readonly path: readonly string[];
  /** A CEL expression that is true when the rule is satisfied. `self` is the value, always a mapping. */
  readonly rule: string;
  readonly message: string;
  /** From the value to the field at fault, `.auth.type`; the value itself when absent. */
  readonly fieldPath?: string;
  readonly reason?: RuleReason;
}

const SPEC = ['spec'];
const AUTH = ['spec', 'auth'];
const TOKEN_EXCHANGE = ['spec', 'auth', 'tokenExchange'];

/** The condition of a server of this kind, and its types in words. */
const SERVER_KINDS = {
  stdio: [`(self.type != 'streamable-http' && self.type != 'sse')`, 'stdio'],
  remote: [`self.type != 'stdio'`, 'streamable-http or sse'],
} as const;

const toKebabCase = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const isReference = (field: string): boolean => field.endsWith('From');

/** Returns the rules of the fields that only servers of one kind have. */
const listKindRules = (isIncluded: (field: string) => boolean): readonly CelRule[] =>
  (['stdio', 'remote'] as const).flatMap((kind) => {
    const [condition, words] = SERVER_KINDS[kind];
    return REFUSED_ELSEWHERE[kind].filter(isIncluded).map((field): CelRule => ({
      id: `${toKebabCase(field)}-only-${kind}`,
      path: SPEC,
      rule: `!has(self.${field}) || !has(self.type) || ${condition}`,
      message: `${field} field is only allowed when type is ${words}`,
      fieldPath: `.${field}`,
      reason: 'FieldValueForbidden',
    }));
  });

/** The rules of values that are in Secrets and ConfigMaps. Names in `headers` are compared with case: keys have no bounded length for the API server, whose message of `FieldValueDuplicate` omits the sentence. */
const REFERENCE_RULES: readonly CelRule[] = [
  ...listKindRules(isReference),
  ...(
    [
      ['envFrom', 'env', 'variable', ''],
      ['headersFrom', 'headers', 'header', '.lowerAscii()'],
    ] as const
  ).flatMap(([field, map, thing, folded]): readonly CelRule[] => [
    {
      id: `${toKebabCase(field)}-excludes-${map}`,
      path: SPEC,
      rule: `!has(self.${field}) || !has(self.${map}) || self.${field}.all(entry, !has(entry.name) || !(entry.name in self.${map}))`,
      message: `a ${thing} is either in ${map} or in ${field}`,
      fieldPath: `.${field}`,
    },
    {
      id: `${toKebabCase(field)}-unique`,
      path: SPEC,
      rule: `!has(self.${field}) || self.${field}.all(entry, !has(entry.name) || self.${field}.exists_one(other, has(other.name) && other.name${folded} == entry.name${folded}))`,
      message: `each ${thing} of ${field} has another name`,
      fieldPath: `.${field}`,
    },
  ]),
  ...[['envFrom'], ['headersFrom'], ['tools', ITEMS, 'defaultsFrom']].map((field): CelRule => ({
    id: 'reference-has-one-object',
    path: [...SPEC, ...field, ITEMS],
    rule: `has(self.secretKeyRef) != has(self.configMapKeyRef)`,
    message: 'exactly one of secretKeyRef and configMapKeyRef is required',
  })),
];

/** The rules of the calls and of the tools of a server. */
const CALL_RULES: readonly CelRule[] = [
  {
    id: 'name-or-pattern',
    path: [...SPEC, 'tools', ITEMS],
    rule: `has(self.name) != has(self.pattern)`,
    message: 'exactly one of name and pattern is required',
  },
  ...[
    [...SPEC, 'limits'],
    [...SPEC, 'tools', ITEMS, 'limits'],
  ].flatMap((path): readonly CelRule[] => [
    {
      id: 'rate-required',
      path: [...path, 'rate'],
      rule: `has(self.perUser) || has(self.total)`,
      message: 'at least one of perUser and total is required',
    },
    {
      id: 'call-timeouts',
      path,
      rule: `!has(self.callTimeout) || !has(self.maxCallTimeout) || self.maxCallTimeout >= self.callTimeout`,
      message: 'maxCallTimeout must be at least callTimeout',
      fieldPath: '.maxCallTimeout',
    },
  ]),
];

/** Every rule between fields of an `MCPServer`. @spec §2.6, §7.6 */
const MCP_SERVER_RULES: readonly CelRule[] = [
  {
    id: 'command-required',
    path: SPEC,
    rule: `!has(self.type) || self.type != 'stdio' || has(self.command)`,
    message: 'command is required when type is stdio',
    fieldPath: '.command',
    reason: 'FieldValueRequired',
  },
  {
    id: 'url-required',
    path: SPEC,
    rule: `!has(self.type) || (self.type != 'streamable-http' && self.type != 'sse') || has(self.url)`,
    message: 'url is required when type is streamable-http or sse',
    fieldPath: '.url',
    reason: 'FieldValueRequired',
  },
  ...listKindRules((field) => !isReference(field)),
  {
    id: 'auth-only-remote',
    path: SPEC,
    rule: `!has(self.auth) || !has(self.type) || self.type != 'stdio' || ((!has(self.auth.type) || self.auth.type != 'oauth') && (!has(self.auth.forwardToken) || self.auth.forwardToken != true) && (!has(self.auth.tokenExchange) || !has(self.auth.tokenExchange.enabled) || self.auth.tokenExchange.enabled != true))`,
    message:
      'auth configuration is only supported for remote server types (streamable-http or sse)',
    fieldPath: '.auth',
    reason: 'FieldValueForbidden',
  },
  {
    id: 'authorization-server-needs-oauth',
    path: AUTH,
    rule: `!has(self.authorizationServer) || (has(self.type) && self.type != 'none')`,
    message: 'authorizationServer is only valid when type is oauth',
    fieldPath: '.authorizationServer',
    reason: 'FieldValueForbidden',
  },
  {
    id: 'authorization-server-excludes-forward-token',
    path: AUTH,
    rule: `!has(self.authorizationServer) || !has(self.forwardToken) || self.forwardToken != true`,
    message: 'forwardToken bypasses per-backend OAuth; set one or the other, not both',
    fieldPath: '.authorizationServer',
    reason: 'FieldValueForbidden',
  },
  {
    id: 'authorization-server-excludes-token-exchange',
    path: AUTH,
    rule: `!has(self.authorizationServer) || !has(self.tokenExchange) || !has(self.tokenExchange.enabled) || self.tokenExchange.enabled != true`,
    message: 'tokenExchange has its own issuer/endpoint config; set one or the other, not both',
    fieldPath: '.authorizationServer',
    reason: 'FieldValueForbidden',
  },
  {
    id: 'token-endpoint-required',
    path: TOKEN_EXCHANGE,
    rule: `!has(self.enabled) || self.enabled != true || has(self.dexTokenEndpoint)`,
    message: 'dexTokenEndpoint is required when enabled is true',
    fieldPath: '.dexTokenEndpoint',
    reason: 'FieldValueRequired',
  },
  {
    id: 'connector-required',
    path: TOKEN_EXCHANGE,
    rule: `!has(self.enabled) || self.enabled != true || has(self.connectorId)`,
    message: 'connectorId is required when enabled is true',
    fieldPath: '.connectorId',
    reason: 'FieldValueRequired',
  },
  ...REFERENCE_RULES,
  ...CALL_RULES,
];

type RuleText = Omit<CelRule, 'path'>;

const STEP = [...SPEC, 'steps', ITEMS];

/** The places of conditions in the order of a document. */
const CONDITIONS: readonly (readonly string[])[] = [
  [...STEP, 'condition'],
  [...STEP, 'forEach', 'steps', ITEMS, 'condition'],
  [...STEP, 'parallel', ITEMS, 'condition'],
  [...SPEC, 'onFailure', ITEMS, 'condition'],
];

/** The message for a workflow without steps, with the list missing or empty. @spec §7.6 */
export const NO_STEPS = 'workflow must have at least one step';

/** The message for a loop without sub-steps, with the list missing or empty. @spec §7.6 */
export const NO_LOOP_STEPS = 'forEach.steps must contain at least one sub-step';

/** The message for an empty expectation. @spec §2.7 Expectation */
export const NO_EXPECTATION = 'either success or jsonPath must be provided';

const ofSpec: readonly RuleText[] = [
  {
    id: 'steps-not-empty',
    rule: `!has(self.steps) || self.steps != []`,
    message: NO_STEPS,
    fieldPath: '.steps',
    reason: 'FieldValueRequired',
  },
];

const ofSteps: readonly RuleText[] = [
  {
    id: 'step-kind-required',
    rule: `has(self.tool) || has(self.forEach) || has(self.parallel)`,
    message: 'one of tool, forEach, or parallel is required',
    reason: 'FieldValueRequired',
  },
  {
    id: 'tool-excludes-composites',
    rule: `!has(self.tool) || (!has(self.forEach) && !has(self.parallel))`,
    message: 'tool is mutually exclusive with forEach/parallel',
    fieldPath: '.tool',
    reason: 'FieldValueForbidden',
  },
  {
    id: 'composites-exclude-each-other',
    rule: `!has(self.forEach) || !has(self.parallel)`,
    message: 'forEach and parallel are mutually exclusive',
    fieldPath: '.forEach',
    reason: 'FieldValueForbidden',
  },
  {
    id: 'for-each-not-empty',
    rule: `!has(self.forEach) || !has(self.forEach.steps) || self.forEach.steps != []`,
    message: NO_LOOP_STEPS,
    fieldPath: '.forEach.steps',
    reason: 'FieldValueRequired',
  },
  {
    id: 'parallel-not-empty',
    rule: `!has(self.parallel) || self.parallel != []`,
    message: 'parallel must contain at least one sub-step',
    fieldPath: '.parallel',
    reason: 'FieldValueRequired',
  },
];

/** A template needs no expectation; a present one is ignored. */
const createExpectationRule = (field: 'expect' | 'expectNot'): RuleText => ({
  id: field === 'expect' ? 'expect-not-empty' : 'expect-not-not-empty',
  rule: `has(self.template) || !has(self.${field}) || has(self.${field}.success) || (has(self.${field}.jsonPath) && size(dyn(self.${field}.jsonPath)) > 0)`,
  message: NO_EXPECTATION,
  fieldPath: `.${field}`,
});

const ofConditions: readonly RuleText[] = [
  {
    id: 'condition-source-required',
    rule: `has(self.template) || has(self.tool) || has(self.fromStep)`,
    message: 'condition requires exactly one of template, tool, or fromStep',
    reason: 'FieldValueRequired',
  },
  {
    id: 'condition-template-alone',
    rule: `!has(self.template) || (!has(self.tool) && !has(self.fromStep))`,
    message: 'condition.template is mutually exclusive with tool/fromStep',
    fieldPath: '.template',
    reason: 'FieldValueForbidden',
  },
  {
    id: 'condition-one-source',
    rule: `!has(self.tool) || !has(self.fromStep)`,
    message:
      'condition: tool and fromStep are mutually exclusive (set exactly one of template, tool, or fromStep)',
    fieldPath: '.fromStep',
    reason: 'FieldValueForbidden',
  },
  {
    id: 'condition-needs-expectation',
    rule: `has(self.template) || (!has(self.tool) && !has(self.fromStep)) || has(self.expect) || has(self.expectNot)`,
    message: 'a tool or fromStep condition requires expect or expectNot',
    reason: 'FieldValueRequired',
  },
  createExpectationRule('expect'),
  createExpectationRule('expectNot'),
];

const toCelRules = (path: CelRule['path'], wordings: readonly RuleText[]): readonly CelRule[] =>
  wordings.map((wording) => ({ ...wording, path }));

/** Every rule between fields of a `Workflow`, at each place to which it applies. @spec §2.7, §7.6 */
export const WORKFLOW_RULES: readonly CelRule[] = [
  ...toCelRules(SPEC, ofSpec),
  ...toCelRules(STEP, ofSteps),
  ...CONDITIONS.flatMap((path) => toCelRules(path, ofConditions)),
];

const rules: Readonly<Record<ResourceKind, readonly CelRule[]>> = {
  MCPServer: MCP_SERVER_RULES,
  Workflow: WORKFLOW_RULES,
};

/**
 * Returns every rule between fields of a kind, for `x-kubernetes-validations`: `{rule, message, fieldPath, reason}` belongs to
 * the schema at `path`. A rule that applies at several places is listed once for each.
 *
 * @spec §2.6, §2.7, §7.6
 */
export const listCelRules = (kind: ResourceKind): readonly CelRule[] => rules[kind];
