import { expect, type Locator, type Page } from '@playwright/test';

/** What every screen has. Screens are found by role and name, as a person or a screen reader finds them. */
export class Screen {
  constructor(readonly page: Page) {}

  get main(): Locator {
    return this.page.getByRole('main');
  }

  /** The screen's title, once the program has drawn it. */
  heading(name: string | RegExp): Locator {
    return this.page.getByRole('heading', { level: 1, name });
  }

  async go(name: 'Start' | 'Tasks' | 'Rollouts'): Promise<void> {
    await this.page.getByRole('banner').getByRole('link', { name, exact: true }).click();
  }
}

/** `#/`: the demonstration. */
export class StartScreen extends Screen {
  async open(): Promise<void> {
    await this.page.goto('./');
  }
  get steps(): Locator {
    return this.page.getByRole('slider', { name: /^Step of the run/ });
  }
  get gradeCard(): Locator {
    return this.page.getByRole('region', { name: 'Grade' });
  }
  button(name: string | RegExp): Locator {
    return this.page.getByRole('button', { name });
  }
}

/** `#/tasks`. */
export class TasksScreen extends Screen {
  async open(): Promise<void> {
    await this.page.goto('./#/tasks');
    await expect(this.heading('Tasks')).toBeVisible();
  }
  get filter(): Locator {
    return this.page.getByRole('searchbox', { name: 'Filter tasks' });
  }
  choose(label: 'Environment' | 'Split' | 'Tier'): Locator {
    return this.page.getByRole('combobox', { name: label });
  }
  /** Task links, in the order of the table. */
  get links(): Locator {
    return this.page.getByRole('table').getByRole('rowheader').getByRole('link');
  }
}

/** `#/t/…`: a task and an agent. */
export class Workbench extends Screen {
  async open(task: string): Promise<void> {
    await this.page.goto(`./#/t/builtin/${encodeURIComponent(task)}`);
    await expect(this.run).toBeVisible();
  }
  get run(): Locator {
    return this.page.getByRole('button', { name: 'Run', exact: true });
  }
  get stop(): Locator {
    return this.page.getByRole('button', { name: 'Stop', exact: true });
  }
  get transcript(): Locator {
    return this.page.getByRole('region', { name: 'Transcript' });
  }
  get chart(): Locator {
    return this.page.getByRole('region', { name: 'Plan', exact: true }).getByRole('group', { name: /plan|draft/i }).first();
  }
  get grade(): Locator {
    return this.page.getByRole('region', { name: 'Grade' });
  }
  /** What is awaited while a run goes on. */
  get now(): Locator {
    return this.page.getByRole('region', { name: 'Run' });
  }
  /** How a run ended, above its transcript. */
  get agent(): Locator {
    return this.page.getByRole('region', { name: 'Agent' });
  }
  tab(name: string | RegExp): Locator {
    return this.page.getByRole('tablist', { name: 'Task details' }).getByRole('tab', { name });
  }
}

/** `#/connect`. */
export class ConnectScreen extends Screen {
  async open(): Promise<void> {
    await this.page.goto('./#/connect');
    await expect(this.heading('Connect')).toBeVisible();
  }
  get address(): Locator {
    return this.page.getByRole('textbox', { name: 'Server address' });
  }
  /** Uses a server and opens whatever task it gives. */
  async openTask(address: string): Promise<Workbench> {
    await this.use(address);
    await this.page.getByRole('link', { name: 'Its tasks' }).click();
    await this.page.getByRole('button', { name: 'Open', exact: true }).first().click();
    const bench = new Workbench(this.page);
    await expect(bench.run).toBeVisible();
    return bench;
  }
  async test(address: string): Promise<void> {
    await this.address.fill(address);
    await this.page.getByRole('button', { name: 'Test connection' }).click();
  }
  async use(address: string): Promise<void> {
    await this.address.fill(address);
    await this.page.getByRole('button', { name: 'Use this server' }).click();
  }
  get findings(): Locator {
    return this.page.getByRole('list', { name: 'Findings' });
  }
  finding(text: string | RegExp): Locator {
    return this.findings.getByRole('listitem').filter({ hasText: text });
  }
}

/** `#/rollouts` and `#/rollouts/<id>`. */
export class RolloutsScreen extends Screen {
  async open(): Promise<void> {
    await this.page.goto('./#/rollouts');
    await expect(this.heading('Rollouts')).toBeVisible();
  }
  get links(): Locator {
    return this.page.getByRole('table').getByRole('rowheader').getByRole('link');
  }
  get download(): Locator {
    return this.page.getByRole('button', { name: 'Download JSON' });
  }
  get filter(): Locator {
    return this.page.getByRole('searchbox', { name: 'Filter rollouts' });
  }
  /** The field for a file. */
  get import(): Locator {
    return this.page.getByLabel('Import');
  }
  name(moment: string): Locator {
    return this.page.getByRole('textbox', { name: `Name of the rollout of ${moment}` });
  }
  delete(moment: string): Locator {
    return this.page.getByRole('button', { name: `Delete the rollout of ${moment}` });
  }
  /** Puts back what was deleted last. */
  get undo(): Locator {
    return this.page.getByRole('button', { name: /^Undo,/ });
  }
}
