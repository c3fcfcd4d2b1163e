import {
  GIT_URL_START,
  ICON_URL_START,
  MAX_ICON_CHARS,
  MAX_URL_CHARS,
} from '@gateway/agent-manager-client';
import { MAX_INLINE_SELECTORS } from '@gateway/toolset-grammar';
import { z } from 'zod';
import { globalDomain, labelDomain } from './fragments/installation.ts';
import { forwarded, forwardedList, resources, texts } from './fragments/kubernetes.ts';

/** Longest name of a Kubernetes object that is also used as a label. */
const MAX_NAME_CHARS = 63;

const text = (fallback: string, description: string) =>
  z.string().default(fallback).meta({ description });

const textList = (fallback: string[], description: string) =>
  z.array(z.string()).default(fallback).meta({ description });

const agent = z.strictObject({
  name: z
    .string()
    .max(MAX_NAME_CHARS)
    .regex(/^$|^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/)
    .default('')
    .meta({ description: 'Name of the Agent. Empty: the name of the release.' }),
  displayName: z
    .string()
    .max(MAX_NAME_CHARS)
    .default('')
    .meta({ description: 'Display name, as the annotation `<labelDomain>/display-name`.' }),
  description: text('', 'Purpose of the agent.'),
  iconUrl: z
    .string()
    .max(MAX_ICON_CHARS)
    .regex(new RegExp(`^$|${ICON_URL_START.source}`, 'u'))
    .default('')
    .meta({
      description:
        'Address of the agent’s icon: `https://…`, or a PNG, JPEG, GIF or WebP image as `data:` URL in base64.',
    }),
  systemMessage: z
    .string()
    .min(1)
    .default('You are a helpful agent.\n')
    .meta({ description: 'System message. Trailing newlines are removed.' }),
  runtime: z
    .enum(['go', 'python'])
    .default('go')
    .meta({ description: 'Runtime that runs the agent.' }),
});

/** Further fields are those of the resource. */
const gitRef = z.looseObject({
  url: z
    .string()
    .max(MAX_URL_CHARS)
    .regex(GIT_URL_START)
    .optional()
    .meta({ description: 'Address: `https://…`, `ssh://…` or `user@host:path`.' }),
});

const skills = z.strictObject({
  refs: textList([], 'Images with skills.'),
  gitRefs: z
    .array(gitRef)
    .default([])
    .meta({ description: 'Git repositories with skills: `url`, `path`, `ref`, `name`.' }),
  gitAuthSecretRef: z
    .strictObject({
      name: text('', 'Secret for the Git repositories. Used only with skills.'),
    })
    .prefault({})
    .meta({ description: 'Access to the Git repositories.' }),
});

const serverRef = z.strictObject({
  kind: text('RemoteMCPServer', 'Kind of the resource.'),
  apiGroup: text('kagent.dev', 'API group of the resource.'),
  name: text('gateway', 'Name of the resource.'),
  namespace: text('agent-platform', 'Namespace of the resource.'),
});

const muster = z.strictObject({
  enabled: z
    .boolean()
    .default(true)
    .meta({ description: 'Whether the agent has the gateway and the token of the chat user.' }),
  serverRef: serverRef
    .prefault({})
    .meta({ description: 'Resource of the agent runtime for the gateway.' }),
  allowedHeaders: textList(
    ['authorization'],
    'Headers of the user’s request that are forwarded to the gateway.',
  ),
  toolNames: textList(
    [],
    'Meta-tools of the gateway that the agent sees, such as `call_tool`. Empty: all. Does not restrict the tools behind the gateway; use `toolset`.',
  ),
  stsWellKnownUri: text(
    '',
    'Discovery document of a token service that exchanges the user’s token. Empty: the token is forwarded unchanged.',
  ),
});

const toolset = z
  .array(z.string())
  .nullable()
  .optional()
  .meta({
    description: `Tools behind the gateway that the agent can use: up to ${String(MAX_INLINE_SELECTORS)} of \`preset:<name>\`, \`server:<name>\`, \`workflow:<name>\`, \`tool:<name>\`. Unset: everything that the gateway exposes. \`["preset:none"]\`: no gateway.`,
    examples: [['preset:read-only', 'workflow:incident-triage']],
  });

/** Values of the chart `agent`. @spec §2.8 */
export const agentValues = z.strictObject({
  agent: agent.prefault({}).meta({ description: 'The agent.' }),
  modelConfig: z
    .strictObject({
      name: z
        .string()
        .min(1)
        .default('default-model-config')
        .meta({ description: 'Name of a ModelConfig in the agent’s namespace.' }),
    })
    .prefault({})
    .meta({ description: 'The model. The chart does not create the ModelConfig and its Secret.' }),
  skills: skills.prefault({}).meta({ description: 'Skills that the agent loads.' }),
  muster: muster.prefault({}).meta({ description: 'The gateway as a tool of the agent.' }),
  toolset,
  extraTools: forwardedList(
    'Additional tools of the agent, after the gateway. The toolset does not apply to them.',
    [{ type: 'Agent', agent: { name: 'planner' } }],
  ),
  replicas: z.int().min(0).default(1).meta({ description: 'Number of pods of the agent.' }),
  resources: resources({
    requests: { cpu: '100m', memory: '256Mi' },
    limits: { cpu: '1', memory: '512Mi' },
  }),
  nodeSelector: texts('Labels of the nodes that the agent runs on.'),
  tolerations: forwardedList('Taints of nodes that the agent tolerates.'),
  labels: texts('Further labels of the Agent.'),
  annotations: texts('Further annotations of the Agent.'),
  labelDomain,
  extraAgentSpec: forwarded(
    'Merged over the `spec` of the Agent, with precedence. Maps are merged, lists are replaced, null removes a key: `declarative.tools` replaces every tool, including the gateway and its toolset.',
    { declarative: { stream: true } },
  ),
  global: z
    .looseObject({
      labelDomain: globalDomain('labelDomain'),
    })
    .nullable()
    .optional()
    .meta({ description: 'Values of a parent chart. Only `labelDomain` is used.' }),
});
