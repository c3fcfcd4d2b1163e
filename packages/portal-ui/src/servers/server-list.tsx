import type { CatalogRow, CatalogSection, CatalogServer } from '@gateway/toolset-composer';
import { Badge, Group, Stack, Text, Title } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';
import { SignInOffers, type StartSignIn } from '../sign-in/sign-in-offers.tsx';

/** The properties of {@link ServerList}. */
export interface ServerListProps {
  /** The catalog; workflows and core tools are left out. */
  readonly sections: readonly CatalogSection[];
  readonly onSignIn: StartSignIn;
  /** Renders the name of a server or a family, for example as a link. */
  readonly renderName?: (row: CatalogRow) => ReactNode;
  /** Renders one server of a row, in the place of its state. */
  readonly renderServer?: (server: CatalogServer, row: CatalogRow) => ReactNode;
}

const States = ({ row }: { readonly row: CatalogRow }): ReactNode =>
  row.servers.map(({ name, state }) =>
    state === undefined ? null : (
      <Badge key={name} variant="default" tt="none">
        {row.kind === 'family' && <bdi>{`${name}: `}</bdi>}
        {state}
      </Badge>
    ),
  );

const Row = ({
  row,
  props: { onSignIn, renderName, renderServer },
}: {
  readonly row: CatalogRow;
  readonly props: ServerListProps;
}): ReactNode => (
  <Stack gap={4} role="listitem">
    <Group gap="xs">
      <Text fw={500} style={{ overflowWrap: 'anywhere' }}>
        <bdi>{renderName === undefined ? row.name : renderName(row)}</bdi>
      </Text>
      {renderServer === undefined && <States row={row} />}
      <Text size="sm">{row.tools.length === 1 ? '1 tool' : `${row.tools.length} tools`}</Text>
    </Group>
    {renderServer !== undefined &&
      row.servers.map((server) => (
        <Fragment key={server.name}>{renderServer(server, row)}</Fragment>
      ))}
    <SignInOffers servers={row.signIn} onSignIn={onSignIn} />
  </Stack>
);

const isServer = ({ kind }: CatalogRow): boolean => kind === 'server' || kind === 'family';

/** The servers of the catalog in their groups, a family in one row, with the offers to sign in. @spec §2.3, §2.6 */
export const ServerList = (props: ServerListProps): ReactNode =>
  props.sections.map(({ group, label, rows }) => {
    const servers = rows.filter(isServer);
    return servers.length === 0 ? null : (
      <Stack key={group} gap="xs" component="section" aria-label={label} mb="md">
        <Title order={2} size="h4">
          {label}
        </Title>
        <Stack gap="sm" role="list" aria-label={label}>
          {servers.map((row) => (
            <Row key={row.name} row={row} props={props} />
          ))}
        </Stack>
      </Stack>
    );
  });
