/** The rules between fields said a second time, in plain code, for documents of any shape. Issues as `path: message`. */

const isMapping = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const toCelRules = (value: unknown, ...keys: readonly string[]): unknown => {
  let current = value;
  for (const key of keys) {
    if (!isMapping(current) || !Object.hasOwn(current, key)) return undefined;
    current = current[key];
  }
  // Null is no value.
  return current ?? undefined;
};

const count = (value: unknown, ...keys: readonly string[]): number =>
  keys.filter((key) => toCelRules(value, key) !== undefined).length;

const listAt = (value: unknown, ...keys: readonly string[]): readonly unknown[] => {
  const list = toCelRules(value, ...keys);
  return Array.isArray(list) ? list : [];
};

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

type Finding = readonly [broken: boolean, line: string];

const lines = (findings: readonly Finding[]): readonly string[] =>
  findings.filter(([broken]) => broken).map(([, line]) => line);

const authenticates = (auth: unknown): boolean =>
  toCelRules(auth, 'type') === 'oauth' ||
  toCelRules(auth, 'forwardToken') === true ||
  toCelRules(toCelRules(auth, 'tokenExchange'), 'enabled') === true;

const typeIssues = (spec: unknown): readonly string[] => {
  const isStdio = toCelRules(spec, 'type') === 'stdio';
  const isRemote = ['streamable-http', 'sse'].some((type) => type === toCelRules(spec, 'type'));
  const has = (key: string): boolean => count(spec, key) > 0;
  return lines([
    [isStdio && !has('command'), 'spec.command: command is required when type is stdio'],
    [isRemote && !has('url'), 'spec.url: url is required when type is streamable-http or sse'],
    [isRemote && has('args'), 'spec.args: args field is only allowed when type is stdio'],
    [isRemote && has('cwd'), 'spec.cwd: cwd field is only allowed when type is stdio'],
    [
      isRemote && has('startTimeout'),
      'spec.startTimeout: startTimeout field is only allowed when type is stdio',
    ],
    [
      isStdio && has('headers'),
      'spec.headers: headers field is only allowed when type is streamable-http or sse',
    ],
    [
      isStdio && authenticates(toCelRules(spec, 'auth')),
      'spec.auth: auth configuration is only supported for remote server types (streamable-http or sse)',
    ],
  ]);
};

const authIssues = (auth: unknown): readonly string[] => {
  const pins = count(auth, 'authorizationServer') > 0;
  const exchange = toCelRules(auth, 'tokenExchange');
  const exchanges = toCelRules(exchange, 'enabled') === true;
  const pinned = 'spec.auth.authorizationServer: ';
  return lines([
    [
      pins && (toCelRules(auth, 'type') ?? 'none') === 'none',
      `${pinned}authorizationServer is only valid when type is oauth`,
    ],
    [
      pins && toCelRules(auth, 'forwardToken') === true,
      `${pinned}forwardToken bypasses per-backend OAuth; set one or the other, not both`,
    ],
    [
      pins && exchanges,
      `${pinned}tokenExchange has its own issuer/endpoint config; set one or the other, not both`,
    ],
    [
      exchanges && count(exchange, 'dexTokenEndpoint') === 0,
      'spec.auth.tokenExchange.dexTokenEndpoint: dexTokenEndpoint is required when enabled is true',
    ],
    [
      exchanges && count(exchange, 'connectorId') === 0,
      'spec.auth.tokenExchange.connectorId: connectorId is required when enabled is true',
    ],
  ]);
};

const nameOf = (entry: unknown): string | undefined => {
  const name = toCelRules(entry, 'name');
  return typeof name === 'string' ? name : undefined;
};

const hasRepeated = (names: readonly string[]): boolean => new Set(names).size < names.length;

const keysAt = (spec: unknown, key: string): readonly string[] => {
  const map = toCelRules(spec, key);
  return isMapping(map) ? Object.keys(map) : [];
};

const referenceIssues = (spec: unknown): readonly string[] => {
  const isStdio = toCelRules(spec, 'type') === 'stdio';
  const isRemote = ['streamable-http', 'sse'].some((type) => type === toCelRules(spec, 'type'));
  const names = (field: string) => listAt(spec, field).flatMap((entry) => nameOf(entry) ?? []);
  const [variables, headers] = [names('envFrom'), names('headersFrom')];
  return [
    ...lines([
      [
        isRemote && count(spec, 'envFrom') > 0,
        'spec.envFrom: envFrom field is only allowed when type is stdio',
      ],
      [
        isStdio && count(spec, 'headersFrom') > 0,
        'spec.headersFrom: headersFrom field is only allowed when type is streamable-http or sse',
      ],
      [
        variables.some((name) => keysAt(spec, 'env').includes(name)),
        'spec.envFrom: a variable is either in env or in envFrom',
      ],
      [hasRepeated(variables), 'spec.envFrom: each variable of envFrom has another name'],
      [
        headers.some((name) => keysAt(spec, 'headers').includes(name)),
        'spec.headersFrom: a header is either in headers or in headersFrom',
      ],
      [
        hasRepeated(headers.map((name) => name.toLowerCase())),
        'spec.headersFrom: each header of headersFrom has another name',
      ],
    ]),
    ...['envFrom', 'headersFrom'].flatMap((field) =>
      listAt(spec, field).flatMap((entry, index) =>
        isMapping(entry) && count(entry, 'secretKeyRef', 'configMapKeyRef') !== 1
          ? [
              `spec.${field}[${String(index)}]: exactly one of secretKeyRef and configMapKeyRef is required`,
            ]
          : [],
      ),
    ),
  ];
};

/** What breaks a rule in the spec of an `MCPServer`. */
export const plainServerIssues = (spec: unknown): readonly string[] => [
  ...typeIssues(spec),
  ...referenceIssues(spec),
  ...authIssues(toCelRules(spec, 'auth')),
];

const expectationIssues = (condition: unknown, path: string): readonly string[] =>
  ['expect', 'expectNot']
    .filter((key) => {
      const expectation = toCelRules(condition, key);
      const jsonPath = toCelRules(expectation, 'jsonPath');
      const isEmpty =
        jsonPath === undefined || (isMapping(jsonPath) && Object.keys(jsonPath).length === 0);
      return isMapping(expectation) && count(expectation, 'success') === 0 && isEmpty;
    })
    .map((key) => `${path}.${key}: either success or jsonPath must be provided`);

const conditionIssues = (step: unknown, stepPath: string): readonly string[] => {
  const condition = toCelRules(step, 'condition');
  if (!isMapping(condition)) return [];
  const path = `${stepPath}.condition`;
  const isTemplate = count(condition, 'template') > 0;
  const others = count(condition, 'tool', 'fromStep');
  return [
    ...lines([
      [
        !isTemplate && others === 0,
        `${path}: condition requires exactly one of template, tool, or fromStep`,
      ],
      [
        isTemplate && others > 0,
        `${path}.template: condition.template is mutually exclusive with tool/fromStep`,
      ],
      [
        others === 2,
        `${path}.fromStep: condition: tool and fromStep are mutually exclusive (set exactly one of template, tool, or fromStep)`,
      ],
      [
        !isTemplate && others > 0 && count(condition, 'expect', 'expectNot') === 0,
        `${path}: a tool or fromStep condition requires expect or expectNot`,
      ],
    ]),
    ...(isTemplate ? [] : expectationIssues(condition, path)),
  ];
};

const kindIssues = (step: unknown, path: string): readonly string[] => {
  if (!isMapping(step)) return [];
  const composites = count(step, 'forEach', 'parallel');
  const calls = count(step, 'tool');
  return lines([
    [calls + composites === 0, `${path}: one of tool, forEach, or parallel is required`],
    [calls > 0 && composites > 0, `${path}.tool: tool is mutually exclusive with forEach/parallel`],
    [composites === 2, `${path}.forEach: forEach and parallel are mutually exclusive`],
    [
      isEmptyList(toCelRules(step, 'forEach', 'steps')),
      `${path}.forEach.steps: forEach.steps must contain at least one sub-step`,
    ],
    [
      isEmptyList(toCelRules(step, 'parallel')),
      `${path}.parallel: parallel must contain at least one sub-step`,
    ],
  ]);
};

/** What breaks a rule in the spec of a `Workflow`, ids aside. */
export const plainWorkflowIssues = (spec: unknown): readonly string[] => [
  ...lines([
    [isEmptyList(toCelRules(spec, 'steps')), 'spec.steps: workflow must have at least one step'],
  ]),
  ...listAt(spec, 'steps').flatMap((step, index) => {
    const path = `spec.steps[${String(index)}]`;
    return [
      ...kindIssues(step, path),
      ...conditionIssues(step, path),
      ...listAt(step, 'forEach', 'steps').flatMap((sub, inner) =>
        conditionIssues(sub, `${path}.forEach.steps[${String(inner)}]`),
      ),
      ...listAt(step, 'parallel').flatMap((sub, inner) =>
        conditionIssues(sub, `${path}.parallel[${String(inner)}]`),
      ),
    ];
  }),
  ...listAt(spec, 'onFailure').flatMap((sub, index) =>
    conditionIssues(sub, `spec.onFailure[${String(index)}]`),
  ),
];
