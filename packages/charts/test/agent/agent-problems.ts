import type { ManifestObject } from '../../src/render.ts';
import { kubernetesProblems } from '../harness/valid-objects.ts';

interface Tool {
  readonly type?: string;
  readonly mcpServer?: {
    readonly toolNames?: readonly string[];
    readonly requireApproval?: readonly string[];
  };
  readonly agent?: object;
  readonly headersFrom?: readonly object[];
  readonly isolateSessions?: boolean;
}

interface Spec {
  readonly type?: string;
  readonly byo?: object;
  readonly declarative?: {
    readonly systemMessage?: string;
    readonly systemMessageFrom?: object;
    readonly tools?: readonly Tool[];
    readonly deployment?: object;
  };
}

/** Rules between fields, each with the runtime's own message; the schema has checked each field before. */
type Rules<T> = readonly (readonly [message: string, holds: (value: T) => boolean])[];

const has = (value: object | undefined, key: string): boolean =>
  value !== undefined && Object.hasOwn(value, key);

const SPEC_RULES: Rules<Spec> = [
  [
    'declarative must be specified if type is Declarative, or byo must be specified if type is BYO',
    (spec) =>
      (spec.type === 'Declarative' && has(spec, 'declarative')) ||
      (spec.type === 'BYO' && has(spec, 'byo')),
  ],
  [
    'systemMessage and systemMessageFrom are mutually exclusive',
    ({ declarative }) =>
      !has(declarative, 'systemMessage') || !has(declarative, 'systemMessageFrom'),
  ],
  [
    'serviceAccountName and serviceAccountConfig are mutually exclusive',
    ({ declarative }) =>
      !has(declarative?.deployment, 'serviceAccountName') ||
      !has(declarative?.deployment, 'serviceAccountConfig'),
  ],
];

const TOOL_RULES: Rules<Tool> = [
  [
    'type.mcpServer must be nil if the type is not McpServer',
    (tool) => !has(tool, 'mcpServer') || tool.type === 'McpServer',
  ],
  [
    'type.mcpServer must be specified for McpServer filter.type',
    (tool) => has(tool, 'mcpServer') || tool.type !== 'McpServer',
  ],
  [
    'type.agent must be nil if the type is not Agent',
    (tool) => !has(tool, 'agent') || tool.type === 'Agent',
  ],
  [
    'type.agent must be specified for Agent filter.type',
    (tool) => has(tool, 'agent') || tool.type !== 'Agent',
  ],
  [
    'isolateSessions can only be set when type is Agent',
    (tool) => !has(tool, 'isolateSessions') || tool.type === 'Agent',
  ],
  [
    'each RequireApproval entry must also appear in ToolNames',
    ({ mcpServer: { toolNames = [], requireApproval = [] } = {} }) =>
      requireApproval.every((name) => toolNames.includes(name)),
  ],
];

const HEADER_RULES: Rules<object> = [
  [
    'Exactly one of value or valueFrom must be specified',
    (header) => has(header, 'value') !== has(header, 'valueFrom'),
  ],
];

const broken = <T>(rules: Rules<T>, values: readonly T[]): readonly string[] =>
  values.flatMap((value) => rules.filter(([, holds]) => !holds(value)).map(([message]) => message));

/**
 * Returns the problems of an Agent in the CustomResourceDefinition of the runtime: unknown fields, wrong types, otherwise rules between fields.
 */
export function agentProblems(agent: ManifestObject): readonly string[] {
  const shape = kubernetesProblems([agent]);
  if (shape.length > 0) return shape;
  const spec = agent['spec'] as Spec;
  const tools = spec.declarative?.tools ?? [];
  return [
    ...broken(SPEC_RULES, [spec]),
    ...broken(TOOL_RULES, tools),
    ...broken(
      HEADER_RULES,
      tools.flatMap(({ headersFrom = [] }) => headersFrom),
    ),
  ];
}
