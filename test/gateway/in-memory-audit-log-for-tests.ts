/** The audit log in memory, for tests of the gateway. */
import type { Audit } from "../../gateway/actor-system-interface.ts";
import type { AuditNote, AuditPage, ListAudit } from "../../machines/audit/audit-entry-schemas.ts";

export class MemoryAudit implements Audit {
  readonly notes: AuditNote[] = [];

  begin(): (note: AuditNote) => void {
    return (note) => this.note(note);
  }

  note(note: AuditNote): void {
    this.notes.push(note);
  }

  async list({ limit }: ListAudit): Promise<AuditPage> {
    const newest = this.notes.toReversed().slice(0, limit);
    return {
      entries: newest.map((note) => ({ ...note, at: new Date(note.at).toISOString() })),
      next_cursor: null,
    };
  }
}
