import { MantineProvider } from '@mantine/core';
import { createCatalogSections, parseServers, readTools } from '@gateway/toolset-composer';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { isWebAddress, ServerList } from '../src/index.ts';

const sections = createCatalogSections({
  tools: readTools({
    tools: [
      { name: 'x_sales_find', kind: 'tool', server: 'sales' },
      { name: 'core_events', kind: 'core' },
    ],
  }),
  servers: parseServers({
    mcpServers: [
      { name: 'crm-eu', family: { name: 'sales' }, state: 'Connected' },
      { name: 'crm-us', family: { name: 'sales' }, state: 'Failed' },
      { name: 'mail', state: 'Auth Required' },
    ],
  }),
  requiringAuth: new Set(['mail']),
});

const markup = renderToStaticMarkup(
  <MantineProvider>
    <ServerList sections={sections} onSignIn={() => Promise.resolve({ message: '' })} />
  </MantineProvider>,
);

it('lists a family as one row with the states of its members', () => {
  expect(markup.match(/role="listitem"/g)).toHaveLength(2);
  expect(markup).toContain('crm-eu: </bdi>Connected');
  expect(markup).toContain('crm-us: </bdi>Failed');
  expect(markup).not.toContain('core_events');
});

it('renders each server of a row as its host wants', () => {
  const own = renderToStaticMarkup(
    <MantineProvider>
      <ServerList
        sections={sections}
        onSignIn={() => Promise.resolve({ message: '' })}
        renderServer={({ name }, row) => <i>{`${name} of ${row.name}`}</i>}
      />
    </MantineProvider>,
  );
  expect(own.match(/<i>[^<]*<\/i>/g)).toEqual([
    '<i>mail of mail</i>',
    '<i>crm-eu of sales</i>',
    '<i>crm-us of sales</i>',
  ]);
  expect(own).not.toContain('Connected');
});

it('offers to sign in to the servers that need it', () => {
  expect(markup.match(/aria-label="Sign in to (?!servers)[a-z-]+"/g)).toEqual([
    'aria-label="Sign in to mail"',
  ]);
});

it('opens addresses of the web alone', () => {
  expect(isWebAddress('https://login.example.com/?a=b')).toBe(true);
  expect(isWebAddress('data:text/html,x')).toBe(false);
  expect(isWebAddress('login')).toBe(false);
});
