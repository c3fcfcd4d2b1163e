import { z } from 'zod';
import { texts } from './kubernetes.ts';
import { labelsOf } from './texts.ts';

/** A DNS subdomain, as Kubernetes names objects, in the syntax that Go reads too. */
const RESOURCE_NAME = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/u;

const resourceName = z.string().max(253).regex(RESOURCE_NAME);

const resources = (kind: 'MCPServer' | 'Workflow', description: string) =>
  z
    .record(
      resourceName,
      z.strictObject({
        labels: labelsOf('Labels, by which presets select.').unwrap().optional(),
        annotations: texts('Annotations.').unwrap().optional(),
        spec: z.looseObject({}).meta({
          standsFor: kind,
          description: `The spec of the ${kind}; every field is in [Resources](../resources.md).`,
        }),
      }),
    )
    .default({})
    .meta({ description });

const filesFrom = (kind: string, key: string) =>
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
    });

/** The servers and workflows that the gateway is given as files. */
export const resourceFileValues = {
  mcpservers: resources(
    'MCPServer',
    'Servers by name: `{labels, annotations, spec}`. Each becomes a file of the configuration; edits are picked up without a restart.',
  ),
  mcpserversFrom: filesFrom('MCPServer', 'mcpservers'),
  workflows: resources(
    'Workflow',
    'Workflows by name: `{labels, annotations, spec}`. Each becomes a file of the configuration; edits are picked up without a restart.',
  ),
  workflowsFrom: filesFrom('Workflow', 'workflows'),
};
