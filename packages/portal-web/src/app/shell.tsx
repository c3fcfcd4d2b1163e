import { ActionIcon, AppShell, Burger, Group, Text, useMantineColorScheme } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Outlet } from '@tanstack/react-router';
import { useEffect, useId, useRef, type KeyboardEvent, type ReactNode, type Ref } from 'react';
import { watchFocus } from '../display/lost-focus.ts';
import { Navigation } from './navigation.tsx';
import { NoticeBar } from './notice-bar.tsx';
import { PersonMenu } from './person-menu.tsx';
import { RunningCallsMenu } from './running-calls-menu.tsx';
import { SkipLink } from './skip-link.tsx';

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
  burger,
  menu,
}: {
  readonly opened: boolean;
  readonly toggle: () => void;
  readonly burger: Ref<HTMLButtonElement>;
  /** The id of the navigation. */
  readonly menu: string;
}): ReactNode => (
  <Group h="100%" px="md" justify="space-between" wrap="nowrap">
    <Group gap="sm" wrap="nowrap">
      <Burger
        ref={burger}
        opened={opened}
        onClick={toggle}
        hiddenFrom="sm"
        size="sm"
        aria-label="Menu"
        aria-expanded={opened}
        aria-controls={menu}
      />
      <Text fw={600}>Portal</Text>
    </Group>
    <Group gap="xs" wrap="nowrap">
      <RunningCallsMenu />
      <ColorSchemeButton />
      <PersonMenu />
    </Group>
  </Group>
);

/** The frame of all pages: header, navigation, and the page itself. */
export const Shell = (): ReactNode => {
  const [opened, { toggle, close }] = useDisclosure();
  const burger = useRef<HTMLButtonElement>(null);
  const menu = useId();
  useEffect(watchFocus, []);
  const closeOnEscape = ({ key }: KeyboardEvent): void => {
    if (key !== 'Escape' || !opened) return;
    close();
    burger.current?.focus();
  };
  return (
    <AppShell
      header={{ height: 52 }}
      navbar={{ width: 200, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      padding="md"
      onKeyDown={closeOnEscape}
    >
      <SkipLink />
      <AppShell.Header>
        <Header opened={opened} toggle={toggle} burger={burger} menu={menu} />
      </AppShell.Header>
      <Navigation id={menu} opened={opened} onClose={close} />
      <AppShell.Main>
        <NoticeBar />
        <Outlet />
      </AppShell.Main>
    </AppShell>
  );
};
