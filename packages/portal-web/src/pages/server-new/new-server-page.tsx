import { Anchor, SegmentedControl, Stack } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { PageTitle } from '../../display/page-title.tsx';
import { useServers } from '../servers/use-servers.ts';
import { WriteRefusal } from '../servers/write-refusal.tsx';
import { CreateServer } from './create-server.tsx';
import { GeneralFields } from './general-fields.tsx';
import { EMPTY_DRAFT, type ServerDraft } from './server-draft.ts';
import { TransportFields } from './transport-fields.tsx';

const route = getRouteApi('/servers/new');

const KINDS = [
  { value: 'remote', label: 'At an address' },
  { value: 'stdio', label: 'As a command' },
];

/** The form of a new server; the values of the other kind stay while the kind changes. */
const Form = (): ReactNode => {
  const kind = route.useSearch().by === 'command' ? 'stdio' : 'remote';
  const navigate = route.useNavigate();
  const [fields, setFields] = useState(EMPTY_DRAFT);
  const draft: ServerDraft = { ...fields, kind };
  return (
    <Stack>
      <SegmentedControl
        aria-label="How the gateway reaches it"
        data={KINDS}
        value={kind}
        onChange={(value) =>
          void navigate({ search: value === 'stdio' ? { by: 'command' } : {}, replace: true })
        }
      />
      <TransportFields draft={draft} onChange={setFields} />
      <GeneralFields draft={draft} onChange={setFields} />
      <CreateServer draft={draft} />
    </Stack>
  );
};

/** Adds a server by its address or its command. */
export const NewServerPage = (): ReactNode => {
  const { data } = useServers();
  return (
    <Stack maw={720}>
      <Anchor component={Link} to="/servers" size="sm">
        All servers
      </Anchor>
      <PageTitle title="Add a server" />
      <WriteRefusal reason={data?.writeRefusal} />
      {data?.writeRefusal === undefined && <Form />}
    </Stack>
  );
};
