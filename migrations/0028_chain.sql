CREATE TABLE `chain_links` (
	`position` integer PRIMARY KEY NOT NULL,
	`event_id` integer NOT NULL,
	`hash` text NOT NULL,
	`code` text,
	FOREIGN KEY (`event_id`) REFERENCES `audit_log`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "chain_links_hash" CHECK(length("chain_links"."hash") = 52),
	CONSTRAINT "chain_links_code" CHECK("chain_links"."code" = substr("chain_links"."hash", 1, 25))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `chain_links_event` ON `chain_links` (`event_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `chain_links_code` ON `chain_links` (`code`);--> statement-breakpoint
CREATE TRIGGER `chain_links_follow` BEFORE INSERT ON `chain_links`
WHEN NEW.`position` IS NOT (SELECT coalesce(max(`position`), 0) + 1 FROM `chain_links`)
  OR NEW.`event_id` IS NOT (SELECT min(`id`) FROM `audit_log` WHERE `id` > coalesce(
    (SELECT `event_id` FROM `chain_links` ORDER BY `position` DESC LIMIT 1), 0))
BEGIN
  SELECT RAISE(ABORT, 'a link follows the last one, and has the next event');
END;
--> statement-breakpoint
CREATE TRIGGER `chain_links_are_never_changed` BEFORE UPDATE ON `chain_links`
BEGIN
  SELECT RAISE(ABORT, 'the chain is never changed');
END;
--> statement-breakpoint
CREATE TRIGGER `chain_links_are_never_deleted` BEFORE DELETE ON `chain_links`
BEGIN
  SELECT RAISE(ABORT, 'the chain is never changed');
END;
