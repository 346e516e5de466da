CREATE TABLE `shop_settings` (
	`id` integer PRIMARY KEY NOT NULL,
	`order_emails` text DEFAULT 'none' NOT NULL,
	CONSTRAINT "shop_settings_one" CHECK("shop_settings"."id" = 1),
	CONSTRAINT "shop_settings_order_emails" CHECK("shop_settings"."order_emails" IN ('each', 'daily', 'none'))
) STRICT;
--> statement-breakpoint
INSERT INTO `shop_settings` (`id`) VALUES (1);
--> statement-breakpoint
ALTER TABLE `instruments` ADD `hidden` integer DEFAULT 0 NOT NULL
  CONSTRAINT "instruments_hidden" CHECK("hidden" = 0 OR ("hidden" = 1 AND "removed_at" IS NOT NULL));--> statement-breakpoint
ALTER TABLE `instruments` ADD `low_stock_threshold` integer
  CONSTRAINT "instruments_threshold" CHECK("low_stock_threshold" BETWEEN 0 AND 1000000);--> statement-breakpoint
CREATE INDEX `instruments_managed` ON `instruments` (`listed_at`,`id`) WHERE "instruments"."removed_at" IS NULL OR "instruments"."hidden" = 1;--> statement-breakpoint
DROP INDEX `instruments_short`;--> statement-breakpoint
CREATE INDEX `instruments_short` ON `instruments` (`available_quantity`,`id`) WHERE "instruments"."removed_at" IS NULL AND "instruments"."available_quantity" < coalesce("instruments"."low_stock_threshold" + 1, "instruments"."min_quantity");--> statement-breakpoint
ALTER TABLE `audit_log` ADD `submission_id` text;--> statement-breakpoint
CREATE UNIQUE INDEX `audit_log_once` ON `audit_log` (`submission_id`) WHERE "audit_log"."submission_id" IS NOT NULL;
--> statement-breakpoint
CREATE TRIGGER `instruments_deleted_stay_deleted` BEFORE UPDATE OF `removed_at`, `hidden` ON `instruments`
WHEN OLD.`removed_at` IS NOT NULL AND OLD.`hidden` = 0 AND (NEW.`removed_at` IS NULL OR NEW.`hidden` = 1)
BEGIN
  SELECT RAISE(ABORT, 'a deleted instrument is never shown again');
END;
--> statement-breakpoint
-- One email each time the stock falls to the threshold, whoever moves it. Stock moves after its row of the audit log, so
-- that row is the last one. The Worker knows the address of the shop: it replaces the recipient when it sends.
CREATE TRIGGER `instruments_low_stock_emails_the_shop` AFTER UPDATE OF `available_quantity` ON `instruments`
WHEN OLD.`available_quantity` > NEW.`low_stock_threshold` AND NEW.`available_quantity` <= NEW.`low_stock_threshold`
BEGIN
  INSERT INTO `emails` (`id`, `recipient`, `subject`, `text`, `html`, `created_at`, `due_at`, `audit_log_id`)
    SELECT 'low stock:' || NEW.`id` || ':' || `id`, 'shop', '', '', '', `at`, `at`, `id`
    FROM `audit_log` ORDER BY `id` DESC LIMIT 1;
END;
--> statement-breakpoint
CREATE TRIGGER `audit_log_emails_the_shop` AFTER INSERT ON `audit_log`
WHEN NEW.`event` = 'order paid' AND (SELECT `order_emails` FROM `shop_settings`) = 'each'
BEGIN
  INSERT INTO `emails` (`id`, `recipient`, `subject`, `text`, `html`, `created_at`, `due_at`, `audit_log_id`)
    VALUES ('shop order:' || NEW.`order_id`, 'shop', '', '', '', NEW.`at`, NEW.`at`, NEW.`id`);
END;
