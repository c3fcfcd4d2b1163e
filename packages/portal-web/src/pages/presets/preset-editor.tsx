import { type JsonObject, toObject } from '@gateway/call-contract';
import { Stack } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { PageLink, PageTitle } from '../../display/page-parts.tsx';
import { DefinitionEditor } from '../definition/definition-editor.tsx';
import { useCoreCommand } from '../../queries/core-tools.ts';

const FIELDS = ['name', 'description', 'include', 'exclude'];

/** Returns the schema of one preset with its name, from that of the tool that changes the configuration. */
const pickSchema = ({ properties }: JsonObject): JsonObject => {
  const aggregator = toObject(toObject(toObject(properties)['aggregator'])['properties']);
  const preset = toObject(toObject(aggregator['toolsetPresets'])['additionalProperties']);
  return {
    type: 'object',
    properties: {
      name: { type: 'string', description: 'Toolsets name it as preset:<name>' },
      ...toObject(preset['properties']),
    },
  };
};

/** Changes or creates a preset, and saves the configuration. */
export const PresetEditor = ({
  preset,
  onEnd,
  onCancel,
}: {
  /** With its name; without one it is new. */
  readonly preset: JsonObject;
  readonly onEnd: (name: string) => void;
  readonly onCancel?: () => void;
}): ReactNode => {
  const [value, setValue] = useState(preset);
  const command = useCoreCommand();
  const queries = useQueryClient();
  const save = async (): Promise<void> => {
    const name = String(preset['name'] ?? value['name']);
    const { description = null, include = null, exclude = null } = value;
    const toolsetPresets = { [name]: { description, include, exclude } };
    await command.mutateAsync({
      tool: 'core_config_update_aggregator',
      args: { aggregator: { toolsetPresets } },
    });
    await command.mutateAsync({ tool: 'core_config_save', args: {} });
    await queries.invalidateQueries({ queryKey: ['presets'] });
    onEnd(name);
  };
  return (
    <DefinitionEditor
      tool="core_config_update_aggregator"
      pickSchema={pickSchema}
      first={FIELDS}
      value={value}
      onChange={setValue}
      submitLabel={preset['name'] === undefined ? 'Create' : 'Save changes'}
      isPending={command.isPending}
      // A refusal is shown with the way to try again.
      onSubmit={() => void save().catch(() => undefined)}
      {...(onCancel !== undefined && { onCancel })}
    />
  );
};

const EMPTY = { include: [] };

/** Creates a preset. */
export const NewPresetPage = (): ReactNode => {
  const navigate = useNavigate();
  return (
    <Stack maw={720}>
      <PageLink to="/presets" size="sm">
        All presets
      </PageLink>
      <PageTitle title="New preset" />
      <PresetEditor
        preset={EMPTY}
        onEnd={(name) => void navigate({ to: '/presets/$preset', params: { preset: name } })}
      />
    </Stack>
  );
};
