import { CLIENT_IDS, CLIENT_SHAPES, type ClientId, renderConfig } from '@gateway/client-config';
import { TOOLSET_HEADER } from '@gateway/toolset-grammar';
import { NativeSelect, SimpleGrid, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { YamlText } from '../../display/text-blocks.tsx';

/** Returns the toolset as arguments of the command that a client starts, or as a header. */
const toEndpoint = (client: ClientId, url: string, toolset: string) =>
  CLIENT_SHAPES[client].urlKey === undefined
    ? ({
        kind: 'stdio',
        command: 'gateway',
        args: ['stdio', '--url', url, ...(toolset === '' ? [] : ['--toolset', toolset])],
      } as const)
    : ({
        kind: 'http',
        url,
        ...(toolset !== '' && { headers: { [TOOLSET_HEADER]: toolset } }),
      } as const);

/** The configuration with which a client reaches the gateway, as `gateway export` writes it. */
export const ConnectClient = ({
  url,
  toolsets,
}: {
  /** The endpoint of the gateway. */
  readonly url: string;
  /** The toolsets that are offered, as headers. */
  readonly toolsets: readonly string[];
}): ReactNode => {
  const [client, setClient] = useState<ClientId>('claude-code');
  const [toolset, setToolset] = useState('');
  const { title, place } = CLIENT_SHAPES[client];
  const rendered = renderConfig(client, {
    name: 'gateway',
    endpoint: toEndpoint(client, url, toolset),
  });
  return (
    <Stack gap="xs">
      <SimpleGrid cols={2} spacing="xs">
        <NativeSelect
          size="xs"
          label="Client"
          value={client}
          data={CLIENT_IDS.map((value) => ({ value, label: CLIENT_SHAPES[value].title }))}
          onChange={({ currentTarget: { value } }) =>
            setClient(CLIENT_IDS.find((known) => known === value) ?? client)
          }
        />
        <NativeSelect
          size="xs"
          label="Toolset"
          value={toolset}
          data={[
            { value: '', label: 'Every tool' },
            ...toolsets.map((value) => ({ value, label: value })),
          ]}
          onChange={({ currentTarget }) => setToolset(currentTarget.value)}
        />
      </SimpleGrid>
      <Text size="xs" c="dimmed">{`For ${title}: ${place}`}</Text>
      <YamlText
        label={`Configuration of ${title}`}
        text={rendered.ok ? rendered.text : rendered.problem}
      />
    </Stack>
  );
};
