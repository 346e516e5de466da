CREATE TABLE `daily_sales` (
	`day` integer PRIMARY KEY NOT NULL,
	`orders` integer NOT NULL,
	`revenue_cents` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `instruments_short` ON `instruments` (`available_quantity`,`id`) WHERE "instruments"."removed_at" IS NULL AND "instruments"."available_quantity" < "instruments"."min_quantity";--> statement-breakpoint
CREATE INDEX `refunds_failed` ON `refunds` (`failed_at`) WHERE "refunds"."failed_at" IS NOT NULL;--> statement-breakpoint
INSERT INTO `daily_sales` (`day`, `orders`, `revenue_cents`)
SELECT `paid_at` / 86400000, count(*), sum(`total_cents`) FROM `orders` WHERE `paid_at` IS NOT NULL GROUP BY 1;
--> statement-breakpoint
CREATE TRIGGER `orders_count_as_sales` AFTER UPDATE OF `state` ON `orders` WHEN NEW.`state` = 'paid'
BEGIN
  INSERT INTO `daily_sales` (`day`, `orders`, `revenue_cents`) VALUES (NEW.`paid_at` / 86400000, 1, NEW.`total_cents`)
    ON CONFLICT (`day`) DO UPDATE SET `orders` = `orders` + 1, `revenue_cents` = `revenue_cents` + excluded.`revenue_cents`;
END;
