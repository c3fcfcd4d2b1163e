import { z } from 'zod';
import { texts } from './kubernetes.ts';
import { DNS_NAME, labelsOf } from './texts.ts';

const resourceName = z.string().max(253).regex(DNS_NAME);

const resources = (kind: 'MCPServer' | 'Workflow', description: string, example: unknown) =>
  z
    .record(
      resourceName,
      z.strictObject({
        labels: labelsOf('')
          .unwrap()
          .optional()
          .meta({ description: 'Labels, which presets can select.' }),
        annotations: texts('').unwrap().optional().meta({ description: 'Annotations.' }),
        spec: z.looseObject({}).meta({
          standsFor: kind,
          description: `The spec of the ${kind}; every field is in [Resources](../resources.md).`,
        }),
      }),
    )
    .default({})
    .meta({ description, examples: [example] });

const filesFrom = (kind: string, key: string, example: unknown) =>
  z
    .array(
      z.strictObject({
        secret: z.string().min(1).optional().meta({ description: 'Name of a Secret.' }),
        configMap: z.string().min(1).optional().meta({ description: 'Name of a ConfigMap.' }),
        names: z
          .array(resourceName)
          .min(1)
          .meta({ description: `Names of the resources; each is the key \`<name>.yaml\`.` }),
      }),
    )
    .default([])
    .meta({
      description: `Existing Secrets or ConfigMaps that hold whole ${kind} documents, such as those with credentials. Each entry names a \`secret\` or a \`configMap\`, and the \`names\` of its documents. A name that \`${key}\` has too is refused.`,
      examples: [[example]],
    });

/** Servers and workflows as configuration files. */
export const resourceFileValues = {
  mcpservers: resources(
    'MCPServer',
    'Servers by name: `{labels, annotations, spec}`. Each becomes a file of the configuration; edits take effect without a restart.',
    {
      wiki: {
        labels: { 'gateway.internal/tool-group': 'notes' },
        spec: {
          type: 'streamable-http',
          url: 'http://wiki.tools.svc.cluster.local:8080/mcp',
          autoStart: true,
        },
      },
    },
  ),
  mcpserversFrom: filesFrom('MCPServer', 'mcpservers', {
    secret: 'billing-server',
    names: ['billing'],
  }),
  workflows: resources(
    'Workflow',
    'Workflows by name: `{labels, annotations, spec}`. Each becomes a file of the configuration; edits take effect without a restart.',
    {
      overview: {
        spec: {
          description: 'Lists the pages of the wiki.',
          steps: [{ id: 'pages', tool: 'x_wiki_list_pages' }],
        },
      },
    },
  ),
  workflowsFrom: filesFrom('Workflow', 'workflows', {
    configMap: 'team-workflows',
    names: ['digest'],
  }),
};
