CREATE TABLE `customer_notes` (
	`customer_id` text PRIMARY KEY NOT NULL,
	`note` text NOT NULL,
	`written_by` text NOT NULL,
	`written_at` integer NOT NULL,
	FOREIGN KEY (`customer_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "customer_notes_length" CHECK(length("customer_notes"."note") BETWEEN 1 AND 2000)
) STRICT;
--> statement-breakpoint
CREATE TRIGGER `users_leave_no_notes` AFTER UPDATE OF `closed_at` ON `users` WHEN NEW.`closed_at` IS NOT NULL
BEGIN
  DELETE FROM `customer_notes` WHERE `customer_id` = NEW.`id`;
END;
--> statement-breakpoint
CREATE TRIGGER `customer_notes_are_about_open_accounts` BEFORE INSERT ON `customer_notes`
WHEN (SELECT `closed_at` FROM `users` WHERE `id` = NEW.`customer_id`) IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'no note is about a closed account');
END;
