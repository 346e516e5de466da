ALTER TABLE `shop_settings` ADD `message_emails` text DEFAULT 'each' NOT NULL;--> statement-breakpoint
ALTER TABLE `shop_settings` ADD `quote_emails` text DEFAULT 'each' NOT NULL;--> statement-breakpoint
ALTER TABLE `shop_settings` ADD `stock_emails` text DEFAULT 'each' NOT NULL;--> statement-breakpoint
DROP TRIGGER `instruments_low_stock_emails_the_shop`;--> statement-breakpoint
CREATE TRIGGER `instruments_low_stock_emails_the_shop` AFTER UPDATE OF `available_quantity` ON `instruments`
WHEN OLD.`available_quantity` > NEW.`low_stock_threshold` AND NEW.`available_quantity` <= NEW.`low_stock_threshold`
  AND (SELECT `stock_emails` FROM `shop_settings`) = 'each'
BEGIN
  INSERT INTO `emails` (`id`, `recipient`, `subject`, `text`, `html`, `created_at`, `due_at`, `audit_log_id`, `kind`)
    SELECT 'low stock:' || NEW.`id` || ':' || `id`, 'shop', '', '', '', `at`, `at`, `id`, 'low stock'
    FROM `audit_log` ORDER BY `id` DESC LIMIT 1;
END;
--> statement-breakpoint
DROP TRIGGER `quotes_email_the_shop`;--> statement-breakpoint
CREATE TRIGGER `quotes_email_the_shop` AFTER INSERT ON `quotes`
WHEN (SELECT `quote_emails` FROM `shop_settings`) = 'each'
BEGIN
  INSERT INTO `emails` (`id`, `recipient`, `subject`, `text`, `html`, `created_at`, `due_at`, `kind`, `about_id`)
    VALUES ('quote asked:' || NEW.`id`, 'shop', '', '', '', NEW.`created_at`, NEW.`created_at`, 'quote asked', NEW.`id`);
END;
