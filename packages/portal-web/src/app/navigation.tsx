import { AppShell, NavLink } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { Link, useMatchRoute } from '@tanstack/react-router';
import { useEffect, useRef, type ReactNode } from 'react';
import { useBackend } from '../backend/backend-context.ts';

const PAGES = [
  { to: '/agents', label: 'Agents' },
  { to: '/catalog', label: 'Catalog' },
  { to: '/toolsets', label: 'Toolsets' },
  { to: '/workflows', label: 'Workflows' },
  { to: '/presets', label: 'Presets' },
  { to: '/servers', label: 'Servers' },
  { to: '/events', label: 'Events' },
] as const;

/** The width of the window below which the frame hides the navigation: the breakpoint `sm`. */
const NARROW = '(max-width: 47.99em)';

/** The links to all pages. In a narrow window they are a menu, which receives the focus when it opens. */
export const Navigation = ({
  id,
  opened,
  onClose,
}: {
  readonly id: string;
  readonly opened: boolean;
  readonly onClose: () => void;
}): ReactNode => {
  const { session } = useBackend();
  const menu = useRef<HTMLDivElement>(null);
  const isNarrow = useMediaQuery(NARROW, false, { getInitialValueInEffect: false });
  // Runs are those of workflows.
  const isRun = useMatchRoute()({ to: '/runs', fuzzy: true }) !== false;
  const pages = PAGES.filter(({ to }) => to !== '/agents' || session.hasAgentManager);
  useEffect(() => {
    if (opened) menu.current?.querySelector('a')?.focus();
  }, [opened]);
  return (
    // The closed menu is outside of the window, but still in the order of the Tab key.
    <AppShell.Navbar id={id} p="xs" ref={menu} aria-label="Pages" inert={isNarrow && !opened}>
      {pages.map(({ to, label }) => (
        <NavLink
          key={to}
          component={Link}
          to={to}
          label={label}
          onClick={onClose}
          {...(to === '/workflows' && isRun && { 'aria-current': 'page', active: true })}
        />
      ))}
    </AppShell.Navbar>
  );
};
