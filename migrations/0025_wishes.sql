CREATE TABLE `wishes` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`instrument_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`emailed_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`instrument_id`) REFERENCES `instruments`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `wishes_once` ON `wishes` (`user_id`,`instrument_id`) WHERE "wishes"."emailed_at" IS NULL;--> statement-breakpoint
CREATE INDEX `wishes_of_instrument` ON `wishes` (`instrument_id`,`created_at`) WHERE "wishes"."emailed_at" IS NULL;--> statement-breakpoint
CREATE INDEX `wishes_emailed` ON `wishes` (`emailed_at`) WHERE "wishes"."emailed_at" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `wishes_of_user` ON `wishes` (`user_id`);
--> statement-breakpoint
-- Whatever makes it orderable again: stock, a lower minimum, or that it is shown. One email a wish, which so ends. Who asked first is
-- emailed first, 20 each half a minute, or the emails of orders would wait behind them.
CREATE TRIGGER `instruments_back_in_stock_email_wishes` AFTER UPDATE OF `available_quantity`, `min_quantity`, `removed_at` ON `instruments`
WHEN NEW.`removed_at` IS NULL AND NEW.`available_quantity` >= NEW.`min_quantity`
  AND (OLD.`removed_at` IS NOT NULL OR OLD.`available_quantity` < OLD.`min_quantity`)
BEGIN
  INSERT INTO `emails` (`id`, `recipient`, `subject`, `text`, `html`, `created_at`, `due_at`)
    SELECT 'back in stock:' || `wishes`.`id`, `users`.`email`, '', '', '', `last`.`at`,
      `last`.`at` + 30000 * ((row_number() OVER (ORDER BY `wishes`.`created_at`, `wishes`.`id`) - 1) / 20)
    FROM `wishes` JOIN `users` ON `users`.`id` = `wishes`.`user_id`
    CROSS JOIN (SELECT `at` FROM `audit_log` ORDER BY `id` DESC LIMIT 1) AS `last`
    WHERE `wishes`.`instrument_id` = NEW.`id` AND `wishes`.`emailed_at` IS NULL AND `users`.`email_verified_at` IS NOT NULL;
  UPDATE `wishes` SET `emailed_at` = (SELECT `at` FROM `audit_log` ORDER BY `id` DESC LIMIT 1)
    WHERE `instrument_id` = NEW.`id` AND `emailed_at` IS NULL
      AND EXISTS (SELECT 1 FROM `users` WHERE `id` = `wishes`.`user_id` AND `email_verified_at` IS NOT NULL);
END;
