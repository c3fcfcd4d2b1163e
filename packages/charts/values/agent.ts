import { z } from 'zod';
import { globalDomain, labelDomain } from './fragments/installation.ts';
import { passedOn, passedOnList, resources, texts } from './fragments/kubernetes.ts';

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
    .meta({ description: 'Name for people, as the annotation `<labelDomain>/display-name`.' }),
  description: text('', 'What the agent is for.'),
  iconUrl: text('', 'Address of the agent’s icon.'),
  systemMessage: z
    .string()
    .min(1)
    .default('You are a helpful agent.\n')
    .meta({ description: 'System message. Newlines at its end are left out.' }),
  runtime: z
    .enum(['go', 'python'])
    .default('go')
    .meta({ description: 'Runtime that runs the agent.' }),
});

const skills = z.strictObject({
  refs: textList([], 'Images that hold skills.'),
  gitRefs: passedOnList('Git repositories that hold skills: `url`, `path`, `ref`, `name`.'),
  gitAuthSecretRef: z
    .strictObject({
      name: text('', 'Secret for the Git repositories. Used only where there are skills.'),
    })
    .prefault({})
    .meta({ description: 'How the Git repositories are read.' }),
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
    .meta({ description: 'Give the agent the gateway, and the token of the person who chats.' }),
  serverRef: serverRef
    .prefault({})
    .meta({ description: 'The resource of the agent runtime that stands for the gateway.' }),
  allowedHeaders: textList(
    ['authorization'],
    'Headers of the person’s request that go on to the gateway.',
  ),
  toolNames: textList(
    [],
    'The gateway’s meta-tools that the agent sees, such as `call_tool`. Empty: all. Never narrows the tools behind the gateway; `toolset` does.',
  ),
  stsWellKnownUri: text(
    '',
    'Discovery document of a token service that exchanges the person’s token. Empty: the token goes on as it is.',
  ),
});

const toolset = z
  .array(z.string())
  .nullable()
  .optional()
  .meta({
    description:
      'What the agent may use of everything behind the gateway: up to 32 of `preset:<name>`, `server:<name>`, `workflow:<name>`, `tool:<name>`. Unset: everything that the gateway exposes. `["preset:none"]`: an agent without the gateway.',
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
    .meta({ description: 'The model. The ModelConfig and its Secret are made elsewhere.' }),
  skills: skills.prefault({}).meta({ description: 'Skills that the agent loads.' }),
  muster: muster.prefault({}).meta({ description: 'The gateway among the agent’s tools.' }),
  toolset,
  extraTools: passedOnList(
    'Further tools of the agent, after the gateway. No toolset narrows them.',
    [{ type: 'Agent', agent: { name: 'planner' } }],
  ),
  replicas: z.int().min(0).default(1).meta({ description: 'Pods of the agent.' }),
  resources: resources({
    requests: { cpu: '100m', memory: '256Mi' },
    limits: { cpu: '1', memory: '512Mi' },
  }),
  nodeSelector: texts('Labels of the nodes that the agent runs on.'),
  tolerations: passedOnList('Taints of nodes that the agent tolerates.'),
  labels: texts('Further labels of the Agent.'),
  annotations: texts('Further annotations of the Agent.'),
  labelDomain,
  extraAgentSpec: passedOn(
    'Merged over the Agent’s `spec`, and wins. Maps are merged, lists are replaced whole, null removes a key: `declarative.tools` replaces every tool, the gateway and its toolset too.',
    { declarative: { stream: true } },
  ),
  global: z
    .looseObject({
      labelDomain: globalDomain('labelDomain'),
    })
    .nullable()
    .optional()
    .meta({ description: 'Values of a parent chart. Only `labelDomain` is read.' }),
});
