/** The pages of the navigation, in their order; each has an icon of its name. */
export const PAGES = [
  { to: '/', label: 'Overview', icon: 'overview' },
  { to: '/agents', label: 'Agents', icon: 'agents' },
  { to: '/catalog', label: 'Catalog', icon: 'catalog' },
  { to: '/toolsets', label: 'Toolsets', icon: 'toolsets' },
  { to: '/workflows', label: 'Workflows', icon: 'workflows' },
  { to: '/presets', label: 'Presets', icon: 'presets' },
  { to: '/servers', label: 'Servers', icon: 'servers' },
  { to: '/events', label: 'Events', icon: 'events' },
  { to: '/usage', label: 'Usage', icon: 'usage' },
] as const;
