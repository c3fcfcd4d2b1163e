import {
  ActionIcon,
  AppShell,
  Burger,
  Group,
  NavLink,
  Text,
  useMantineColorScheme,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link, Outlet } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useBackend } from '../backend/backend-context.ts';
import { PersonMenu } from './person-menu.tsx';

const PAGES = [
  { to: '/agents', label: 'Agents' },
  { to: '/catalog', label: 'Catalog' },
  { to: '/toolsets', label: 'Toolsets' },
  { to: '/workflows', label: 'Workflows' },
  { to: '/presets', label: 'Presets' },
  { to: '/servers', label: 'Servers' },
  { to: '/events', label: 'Events' },
] as const;

/** A circle of which one half is filled: fonts of some systems have no such character. */
const HalfMoon = (): ReactNode => (
  <svg aria-hidden width={16} height={16} viewBox="0 0 16 16" fill="none" stroke="currentColor">
    <circle cx={8} cy={8} r={6.5} strokeWidth={1.5} />
    <path d="M8 2a6 6 0 0 1 0 12z" fill="currentColor" stroke="none" />
  </svg>
);

const ColorSchemeButton = (): ReactNode => {
  const { toggleColorScheme } = useMantineColorScheme();
  return (
    <ActionIcon
      variant="default"
      aria-label="Switch between light and dark"
      onClick={toggleColorScheme}
    >
      <HalfMoon />
    </ActionIcon>
  );
};

const Header = ({
  opened,
  toggle,
}: {
  readonly opened: boolean;
  readonly toggle: () => void;
}): ReactNode => (
  <Group h="100%" px="md" justify="space-between" wrap="nowrap">
    <Group gap="sm" wrap="nowrap">
      <Burger opened={opened} onClick={toggle} hiddenFrom="sm" size="sm" aria-label="Menu" />
      <Text fw={600}>Portal</Text>
    </Group>
    <Group gap="xs" wrap="nowrap">
      <ColorSchemeButton />
      <PersonMenu />
    </Group>
  </Group>
);

/** The frame of all pages: header, navigation, and the page itself. */
export const Shell = (): ReactNode => {
  const [opened, { toggle, close }] = useDisclosure();
  const { session } = useBackend();
  const pages = PAGES.filter(({ to }) => to !== '/agents' || session.hasAgentManager);
  return (
    <AppShell
      header={{ height: 52 }}
      navbar={{ width: 200, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      padding="md"
    >
      <AppShell.Header>
        <Header opened={opened} toggle={toggle} />
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label="Pages">
        {pages.map(({ to, label }) => (
          <NavLink key={to} component={Link} to={to} label={label} onClick={close} />
        ))}
      </AppShell.Navbar>
      <AppShell.Main>
        <Outlet />
      </AppShell.Main>
    </AppShell>
  );
};
