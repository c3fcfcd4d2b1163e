import type { JsonObject } from '@gateway/call-contract';
import { Button, Stack } from '@mantine/core';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { stringify } from 'yaml';
import { LoadingSign } from '../../display/loading.tsx';
import { YamlText } from '../../display/text-blocks.tsx';
import { createPatch, withoutProperty } from '../definition/definition-values.ts';
import { useCoreCommand } from '../../queries/core-tools.ts';
import { type ServerSummary, useApiGroup } from './server-facts.ts';

/** Forms are large and loaded when they are needed. */
const DefinitionEditor = lazy(async () => ({
  default: (await import('../definition/definition-editor.tsx')).DefinitionEditor,
}));

/**
 * Returns the definition of a server as YAML. The gateway shows secrets as `***`.
 *
 * @param apiGroup the API group of the gateway's resources; `undefined` while it is unknown
 */
export const formatDefinition = (
  { name, labels, spec }: Pick<ServerSummary, 'name' | 'labels' | 'spec'>,
  apiGroup: string | undefined,
): string =>
  stringify(
    {
      ...(apiGroup !== undefined && { apiVersion: `${apiGroup}/v1alpha1` }),
      kind: 'MCPServer',
      metadata: { name, ...(Object.keys(labels).length > 0 && { labels }) },
      spec,
    },
    { lineWidth: 0 },
  );

/** The fields of a server that are shown at once. */
export const SERVER_FIELDS = {
  command: ['name', 'description', 'command', 'args', 'env', 'autoStart'],
  address: ['name', 'description', 'url', 'type', 'auth', 'headers', 'autoStart'],
} as const;

/** Edits a server: what was changed is written. A secret stays while it is shown as `***`. */
const EditServer = ({
  server: { name, spec },
  onEnd,
}: {
  readonly server: ServerSummary;
  readonly onEnd: () => void;
}): ReactNode => {
  const [before] = useState<JsonObject>({ name, ...spec });
  const [value, setValue] = useState(before);
  const command = useCoreCommand();
  return (
    <Suspense fallback={<LoadingSign label="Loading the fields" />}>
      <DefinitionEditor
        tool="core_mcpserver_update"
        checkTool="core_mcpserver_validate"
        pickSchema={withoutProperty('name')}
        first={spec['type'] === 'stdio' ? SERVER_FIELDS.command : SERVER_FIELDS.address}
        value={value}
        onChange={setValue}
        submitLabel="Save changes"
        isPending={command.isPending}
        onSubmit={() =>
          command.mutate(
            {
              tool: 'core_mcpserver_update',
              args: { ...createPatch(before, value), name },
            },
            { onSuccess: onEnd },
          )
        }
        onCancel={onEnd}
      />
    </Suspense>
  );
};

/** The definition of a server as YAML, without its secrets, and the form that changes it. */
export const ServerDefinition = ({
  server,
  isReadOnly,
}: {
  readonly server: ServerSummary;
  readonly isReadOnly: boolean;
}): ReactNode => {
  const [isEditing, setEditing] = useState(false);
  const apiGroup = useApiGroup();
  if (isEditing) return <EditServer server={server} onEnd={() => setEditing(false)} />;
  return (
    <Stack>
      <YamlText
        label="Definition as YAML"
        text={formatDefinition(server, apiGroup)}
        action={
          !isReadOnly && (
            <Button size="xs" onClick={() => setEditing(true)}>
              Edit
            </Button>
          )
        }
      />
    </Stack>
  );
};
